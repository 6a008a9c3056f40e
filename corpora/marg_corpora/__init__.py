"""The corpus format and the scorer: labelled replies in, what each reader misreads, misses and flips out."""

from marg_corpora.cells import Count
from marg_corpora.corpus_file import corpus_files, read_records
from marg_corpora.errors import CorpusError, CorpusMissing, GroupError
from marg_corpora.line import parse_line
from marg_corpora.record import Label, Record
from marg_corpora.record_reader import RecordReader, ShippedReader, Verdict
from marg_corpora.score import GROUPS, Group, Score, ScoreRow, score
from marg_corpora.score_json import score_rows
from marg_corpora.tally import Tally

__all__ = [
    "GROUPS",
    "CorpusError",
    "CorpusMissing",
    "Count",
    "Group",
    "GroupError",
    "Label",
    "Record",
    "RecordReader",
    "Score",
    "ScoreRow",
    "ShippedReader",
    "Tally",
    "Verdict",
    "corpus_files",
    "parse_line",
    "read_records",
    "score",
    "score_rows",
]
