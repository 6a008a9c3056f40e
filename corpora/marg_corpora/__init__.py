"""The corpus format and the scorer: labelled replies in, what each reader misreads, misses and flips out."""

from marg_corpora.cells import Count
from marg_corpora.corpus_file import corpus_files, read_records
from marg_corpora.errors import CorpusError, CorpusMissing
from marg_corpora.peers import peer_names, peer_reader
from marg_corpora.plan import Plan
from marg_corpora.record import Label, Record
from marg_corpora.record_reader import RecordReader, ShippedReader, Verdict
from marg_corpora.score import Score, ScoreRow, score
from marg_corpora.score_json import score_rows
from marg_corpora.tally import Tally
from marg_corpora.timed_reader import TimedReader

__all__ = [
    "CorpusError",
    "CorpusMissing",
    "Count",
    "Label",
    "Plan",
    "Record",
    "RecordReader",
    "Score",
    "ScoreRow",
    "ShippedReader",
    "Tally",
    "TimedReader",
    "Verdict",
    "corpus_files",
    "peer_names",
    "peer_reader",
    "read_records",
    "score",
    "score_rows",
]
