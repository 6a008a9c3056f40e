"""A child that is the far end of a stdio transport: what it reads goes to a socket, what comes from there it prints.

Run as a script, by the standard library alone, so that it is there at once. It dies when the socket is closed.
"""

from __future__ import annotations

import os
import socket
import sys
import threading

CLOSE_STDOUT = b"\0close\n"
"""A line that is no message: close the output, and live on."""


def main() -> None:
    """Relay until the socket is closed."""
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as wire:
        threading.Thread(target=_send, args=(wire,), daemon=True).start()
        for line in wire.makefile("rb"):
            if line == CLOSE_STDOUT:
                os.close(1)
                continue
            os.write(1, line)
    os._exit(1)


def _send(wire: socket.socket) -> None:
    for line in sys.stdin.buffer:
        wire.sendall(line)
    wire.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    main()
