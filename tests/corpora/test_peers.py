"""The adapters to third-party readers: their mapping on doubles, and the packages themselves where installed."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import pytest

from marg_corpora import peer_names, peer_reader
from marg_corpora.errors import PeerMissing
from marg_corpora.peers import Ovos, Recognizers
from marg_runtime import Question
from marg_runtime.reading.kinds import ReadingKind

PACKAGES = {"recognizers": "recognizers_choice", "ovos": "ovos_yes_no"}


@dataclass
class Match:
    """A match as Recognizers-Text gives it."""

    resolution: dict[str, object]


@dataclass
class Model:
    """Stands for the boolean model: answers what it was scripted to, and keeps what it was asked."""

    script: dict[str, list[bool]]
    asked: list[str] = field(default_factory=list)

    def parse(self, reply: str) -> list[Match]:
        self.asked.append(reply)
        return [Match({"value": value}) for value in self.script[reply]]


@dataclass
class Engine:
    """Stands for the OVOS engine."""

    script: dict[str, bool | None]
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def yes_or_no(self, question: str, reply: str, locale: str) -> bool | None:
        self.asked.append((question, reply, locale))
        return self.script[reply]


@pytest.mark.parametrize(
    ("matches", "kind"), [([], "content"), ([True], "plain_yes"), ([False], "plain_no"), ([False, True], "plain_no")]
)
def test_recognizers_answers_with_its_first_match(matches: list[bool], kind: ReadingKind) -> None:
    reader = Recognizers(model=Model({"reply": matches}))
    assert reader.read("reply", Question(), language="en").kind == kind


def test_recognizers_knows_english_only() -> None:
    model = Model({})
    verdict = Recognizers(model=model).read("oui", Question(), language="fr")
    assert (verdict.kind, verdict.has_vocabulary, model.asked) == ("content", False, [])


@pytest.mark.parametrize(("value", "kind"), [(None, "content"), (True, "plain_yes"), (False, "plain_no")])
def test_ovos_answers_yes_no_or_nothing(value: bool | None, kind: ReadingKind) -> None:
    reader = Ovos(engine=Engine({"reply": value}), locales={"en": "en-US"})
    assert reader.read("reply", Question(), language="en").kind == kind


def test_ovos_is_handed_the_question_and_its_own_tag_of_the_language() -> None:
    engine = Engine({"ja": True})
    Ovos(engine=engine, locales={"de": "de-DE"}).read("ja", Question(text="Buchen?"), language="de")
    assert engine.asked == [("Buchen?", "ja", "de-DE")]


def test_ovos_does_not_know_a_language_without_words() -> None:
    verdict = Ovos(engine=Engine({}), locales={}).read("ya", Question(), language="hi")
    assert (verdict.kind, verdict.has_vocabulary) == ("content", False)


@pytest.mark.parametrize("name", sorted(PACKAGES))
def test_a_missing_package_is_named_with_what_to_install(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("recognizers_text", "recognizers_choice", "ovos_utils.log", "ovos_yes_no"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(PeerMissing, match=r"pip install 'marg\[peers\]'"):
        peer_reader(name)


def test_the_names_are_known_without_the_packages() -> None:
    assert set(peer_names()) == set(PACKAGES)


@pytest.fixture(params=sorted(PACKAGES))
def peer(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    # MARG_REQUIRE does not reach here: the extra `peers` is for comparing, and no part of what the tests need.
    pytest.importorskip(PACKAGES[name], reason=f"the package of {name!r} is not installed")
    return name


@pytest.mark.parametrize(
    ("reply", "kind"),
    [("yes", "plain_yes"), ("no", "plain_no"), ("the blue one", "content"), ("yes but make it urgent", "plain_yes")],
)
def test_the_package_itself_reads_english(peer: str, reply: str, kind: ReadingKind) -> None:
    assert peer_reader(peer).read(reply, Question(text="Shall I create it?"), language="en").kind == kind


@pytest.mark.parametrize("reply", ["", "   ", "(", "[a", "\x00", "👍🏽", "x" * 5000])
def test_the_package_itself_survives_any_text(peer: str, reply: str, capsys: pytest.CaptureFixture[str]) -> None:
    peer_reader(peer).read(reply, Question(), language="en")
    assert capsys.readouterr().out == ""
