"""marg_mock_model."""

__all__: list[str] = []
