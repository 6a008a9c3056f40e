"""marg_harness."""

__all__: list[str] = []
