"""The harness: replays scenarios, gathers evidence, and is the `marg` command and the pytest plugin.

Nothing is imported here, since the command line and every pytest run of a user's pass through this door. What there
is to use lies in `marg_harness.replay`, `marg_harness.target`, `marg_harness.network_guard`, `marg_harness.writes_off`.
"""

__all__: list[str] = []
