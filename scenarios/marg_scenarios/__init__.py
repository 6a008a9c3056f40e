"""marg_scenarios."""

__all__: list[str] = []
