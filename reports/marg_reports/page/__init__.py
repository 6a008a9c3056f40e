"""The report as one self-contained HTML page that works from a file, with no network."""

from marg_reports.page.page import html_page

__all__ = ["html_page"]
