"""Faults of known classes, planted in repositories of their own: does the triage say what each red is?

python -m benchmarks.reds [--json] [--kinds FOLDER]
"""
