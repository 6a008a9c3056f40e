"""marg_corpora."""

__all__: list[str] = []
