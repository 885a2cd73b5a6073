"""Suites × variants -> Evaluation: orchestration, no formulas, no drawing."""
