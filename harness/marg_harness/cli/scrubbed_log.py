"""What libraries log goes to stderr where nobody has set up logging; under `marg`, it goes there without secrets."""

from __future__ import annotations

import logging

from marg_runtime.scrub import own_secrets, scrub


class Scrubbing(logging.Filter):
    """Takes the secrets out of a line of the log and out of its traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Scrub the record; every one goes on."""
        secrets = own_secrets()
        record.msg, record.args = scrub(record.getMessage(), secrets=secrets), ()
        if record.exc_info:
            record.exc_text = scrub(logging.Formatter().formatException(record.exc_info), secrets=secrets)
            record.exc_info = None
        return True


def scrub_log() -> None:
    """Have the handler of last resort scrub what it prints; a second time changes nothing."""
    handler = logging.lastResort
    if handler is not None and not any(isinstance(one, Scrubbing) for one in handler.filters):
        handler.addFilter(Scrubbing())
