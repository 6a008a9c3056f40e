"""`marg vocab check`: what there is to say about one vocabulary file, without any corpus."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict

import click

from marg_corpora.vocabulary import SEVERITIES, Severity, check_vocabulary, other_languages, vocabulary_at
from marg_harness.cli import console
from marg_runtime import numbers

EXIT_FOUND = 1
STYLES: dict[Severity, str] = {"error": "red", "warning": "yellow", "note": ""}


@click.command(epilog="Exit codes: 0 no error (with --strict no warning either), 1 some, 2 a file that does not load.")
@click.argument("file", metavar="FILE")
@click.option("--value", "values", multiple=True, metavar="V", help="A value that your cards show; may be repeated.")
@click.option("--strict", is_flag=True, help="Warnings fail, too.")
@console.json_option
@console.quiet_option
def check(file: str, values: tuple[str, ...], strict: bool, as_json: bool, quiet: bool) -> None:
    """Look for duplicates, clashes, shadows and double meanings in a vocabulary.

    Errors: words that one table reads both as a yes and as a no. Warnings: entries that add nothing or never count,
    other words in two classes, phrases that swallow a deny word, words that are another language's opposite, confirm
    words that are also a verb, an ordinal or a value. Notes: what entries do beyond their own words, on purpose or not.
    With --quiet no note is printed.
    """
    vocabulary = vocabulary_at(file)
    findings = check_vocabulary(vocabulary, others=other_languages(vocabulary), values=values)
    if as_json:
        console.print_json([asdict(finding) for finding in findings])
    else:
        for one in findings:
            if one.severity != "note" or not quiet:
                console.print_line(f"{file}:{one.line}: {one.severity}: {one.message}", style=STYLES[one.severity])
        found = Counter(one.severity for one in findings)
        console.print_line(", ".join(f"{numbers.count(found[severity])} {severity}s" for severity in SEVERITIES))
    failing = ("error", "warning") if strict else ("error",)
    if any(one.severity in failing for one in findings):
        sys.exit(EXIT_FOUND)
