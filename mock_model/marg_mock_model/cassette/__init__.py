"""Cassettes: exchanges with a model's API, recorded, played again, or turned into a draft of a machine."""

from marg_mock_model.cassette.cassette import CassetteWriter, read_cassette
from marg_mock_model.cassette.clean import clean_take
from marg_mock_model.cassette.draft import draft_machine
from marg_mock_model.cassette.recorder import Recorder
from marg_mock_model.cassette.replayer import Replayer
from marg_mock_model.cassette.served import Served, serve_cassette, serve_recorder
from marg_mock_model.cassette.take import Take

__all__ = [
    "CassetteWriter",
    "Recorder",
    "Replayer",
    "Served",
    "Take",
    "clean_take",
    "draft_machine",
    "read_cassette",
    "serve_cassette",
    "serve_recorder",
]
