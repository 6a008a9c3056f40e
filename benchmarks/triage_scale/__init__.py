"""The triage at scale: ten thousand reds in every rendering, the time a red takes, and the same bytes every time."""
