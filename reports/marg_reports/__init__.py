"""marg_reports."""

__all__: list[str] = []
