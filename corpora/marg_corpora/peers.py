"""Third-party readers as they are used in the wild, for comparison. Each is imported only when it is asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from typing import Any

from marg_corpora.errors import PeerMissing
from marg_corpora.record_reader import RecordReader, Verdict
from marg_runtime import Question
from marg_runtime.reading.kinds import ReadingKind

INSTALL = "pip install 'marg[peers]'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognizers:
    """Microsoft Recognizers-Text, the boolean of its choice recognizer; its Python package knows English only.

    Read as its own dialog library reads a confirmation: the first match in the reply is the answer, wherever it stands.
    """

    model: Any
    name: str = "recognizers"

    def read(self, reply: str, question: Question, *, language: str) -> Verdict:
        """Read one reply; the question plays no part in this reader."""
        if language != "en":
            return Verdict(kind="content", has_vocabulary=False)
        matches = self.model.parse(reply)
        return Verdict(kind=_kind(matches[0].resolution["value"] if matches else None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ovos:
    """The yes/no engine of OpenVoiceOS. `locales` gives its own tag for each language that it has words for."""

    engine: Any
    locales: Mapping[str, str]
    name: str = "ovos"

    def read(self, reply: str, question: Question, *, language: str) -> Verdict:
        """Read one reply as its `ask_yesno` does, which hands over the question, too."""
        locale = self.locales.get(language)
        if locale is None:
            return Verdict(kind="content", has_vocabulary=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Verdict(kind=_kind(self.engine.yes_or_no(question.text, reply, locale)))


def peer_names() -> tuple[str, ...]:
    """Name the third-party readers, installed or not."""
    return tuple(_PEERS)


def peer_reader(name: str) -> RecordReader:
    """Give a third-party reader by its name. Raises PeerMissing, with what to install, where it is not here."""
    # Importing one of them warns about its own parts and logs on stdout, where only our results belong.
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        try:
            return _PEERS[name]()
        except ImportError as error:
            raise PeerMissing(f"the reader {name!r} needs a package that is not here ({error}); {INSTALL}") from None


def _recognizers() -> RecordReader:
    english = import_module("recognizers_text").Culture.English
    recognizer = import_module("recognizers_choice").ChoiceRecognizer(english)
    return Recognizers(model=recognizer.get_boolean_model(english, False))


def _ovos() -> RecordReader:
    import_module("ovos_utils.log").LOG.set_level("CRITICAL")
    engine = import_module("ovos_yes_no").HeuristicYesNoEngine()
    locales: dict[str, str] = {}
    for tag in sorted(engine.resources):
        locales.setdefault(tag.partition("-")[0].lower(), tag)
    return Ovos(engine=engine, locales=locales)


_PEERS: Mapping[str, Callable[[], RecordReader]] = {"recognizers": _recognizers, "ovos": _ovos}


def _kind(value: bool | None) -> ReadingKind:
    return "content" if value is None else "plain_yes" if value else "plain_no"
