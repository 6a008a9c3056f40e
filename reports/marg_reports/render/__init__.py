"""Renderings of a triage report; the class of every red can be read back from each file format."""

from marg_reports.render.allure import ResultFile, allure_class, allure_results
from marg_reports.render.annotations import github_annotations
from marg_reports.render.body import class_of, headline, red_body
from marg_reports.render.code_quality import code_quality_json
from marg_reports.render.ctrf import ctrf_classes, ctrf_json
from marg_reports.render.junit import junit_classes, junit_xml
from marg_reports.render.plain_text import shortened, visible
from marg_reports.render.summary import summary_markdown

__all__ = [
    "ResultFile",
    "allure_class",
    "allure_results",
    "class_of",
    "code_quality_json",
    "ctrf_classes",
    "ctrf_json",
    "github_annotations",
    "headline",
    "junit_classes",
    "junit_xml",
    "red_body",
    "shortened",
    "summary_markdown",
    "visible",
]
