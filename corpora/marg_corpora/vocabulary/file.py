"""Vocabulary files: a path, or the name of a language for the shipped one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from marg_corpora.errors import CorpusMissing
from marg_corpora.record_reader import Verdict
from marg_runtime import Question, languages
from marg_runtime.errors import LocatedError
from marg_runtime.reading.vocabulary import Vocabulary, load_vocabulary, parse_vocabulary_text
from marg_runtime.reading.whole_message import WholeMessage

_READER = WholeMessage()


def vocabulary_at(place: str) -> Vocabulary:
    """Load a vocabulary: from the file at `place`, or the shipped one where `place` is a language that has one.

    Raises CorpusMissing where there is neither; LocatedError, with file and line, where the file does not hold
    together.
    """
    path = Path(place)
    if not path.is_file():
        if place in languages():
            return load_vocabulary(place)
        raise CorpusMissing(f"{place!r} is no vocabulary file and no language; languages: {', '.join(languages())}")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise LocatedError(f"not UTF-8 ({error.reason}); save the file as UTF-8", path=place, line=line) from None
    except OSError as error:
        raise CorpusMissing(f"cannot open {place!r}: {error.strerror}; check the path") from None
    return parse_vocabulary_text(text, path=place)


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyReader:
    """The whole-message reader over one vocabulary, whatever is shipped; it knows that vocabulary's language only."""

    name: str
    vocabulary: Vocabulary

    def read(self, reply: str, question: Question, *, language: str) -> Verdict:
        """Read one reply; in another language everything is content."""
        if language != self.vocabulary.language:
            return Verdict(kind="content", has_vocabulary=False)
        return Verdict(kind=_READER.read(reply, question, self.vocabulary).kind)
