"""Drawings of a machine: a Mermaid state diagram, and an SVG that is laid out here."""

from marg_mock_model.drawing.mermaid import mermaid_of
from marg_mock_model.drawing.svg import svg_of

__all__ = ["mermaid_of", "svg_of"]
