"""What is measured, and never tested: each module runs with `python -m benchmarks.NAME` and takes `--json`."""
