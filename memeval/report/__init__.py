"""Reports of a finished evaluation: a page with plots, a table for a terminal. No score is computed here."""

from memeval.report.markdown import render_report, write_report
from memeval.report.page import render_page, write_page
from memeval.report.terminal import render_terminal

__all__ = ["render_page", "render_report", "render_terminal", "write_page", "write_report"]
