"""Gathering evidence for the reds of a run: replays with one factor swapped, each in a process of its own."""

from marg_harness.evidence.workspace import Workspace, head_workspace, mixed_workspace

__all__ = ["Workspace", "head_workspace", "mixed_workspace"]
