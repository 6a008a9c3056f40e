"""The network guard: every attempt is stopped and named by file and line, whatever library makes it."""

from __future__ import annotations

import asyncio
import multiprocessing
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import httpx2
import pytest

from marg_harness.errors import NetworkForbidden
from marg_harness.network_guard import loopback_allowed, no_network
from marg_harness.replay import replay_scenario
from marg_scenarios import load_scenario

HERE = Path(__file__).name
ADDRESS = ("127.0.0.1", 9)


def connect() -> None:
    with closing(socket.socket()) as found:
        found.connect(ADDRESS)


def connect_ex() -> None:
    with closing(socket.socket()) as found:
        found.connect_ex(ADDRESS)


def bind() -> None:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))


def datagram() -> None:
    with closing(socket.socket(type=socket.SOCK_DGRAM)) as found:
        found.sendto(b"x", ADDRESS)


def unix() -> None:
    with closing(socket.socket(socket.AF_UNIX)) as found:
        found.connect("nowhere")


def open_connection() -> None:
    asyncio.run(_open_connection())


async def _open_connection() -> None:
    await asyncio.open_connection(*ADDRESS)


def start_server() -> None:
    asyncio.run(_start_server())


async def _start_server() -> None:
    await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)


ATTEMPTS: tuple[Callable[[], object], ...] = (
    connect,
    connect_ex,
    bind,
    datagram,
    unix,
    lambda: socket.create_connection(ADDRESS),
    lambda: socket.getaddrinfo("localhost", 80),
    lambda: socket.gethostbyname("localhost"),
    lambda: socket.gethostbyaddr("127.0.0.1"),
    lambda: socket.getnameinfo(ADDRESS, 0),
    lambda: httpx.get("http://127.0.0.1:9/"),
    lambda: httpx2.get("http://localhost:9/"),
    open_connection,
    start_server,
)


@pytest.fixture
def listener() -> Iterator[tuple[str, int]]:
    """The address of a server that listens on loopback."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        yield server.getsockname()


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_every_attempt_is_stopped_and_named_by_file_and_line(attempt: Callable[[], object]) -> None:
    place = rf"{re.escape(HERE)}:\d+: socket\.\w+ to .*(127\.0\.0\.1|localhost|nowhere)"
    with pytest.raises(NetworkForbidden, match=place), no_network():
        attempt()


def test_the_line_that_is_named_is_the_one_that_tried() -> None:
    line = connect.__code__.co_firstlineno + 2
    with pytest.raises(NetworkForbidden, match=rf"{re.escape(HERE)}:{line}: socket\.connect"), no_network():
        connect()


class Far(socket.socket):
    """One end of a pair, which takes the other for a machine elsewhere."""

    peer: tuple[str, int] = ("192.0.2.1", 443)

    def getpeername(self) -> tuple[str, int]:
        return self.peer


@pytest.fixture
def opened() -> Iterator[tuple[Far, socket.socket]]:
    """A connection that is there before the guard is, and its other end."""
    near, there = socket.socketpair()
    with closing(Far(socket.AF_INET, socket.SOCK_STREAM, fileno=near.detach())) as here, closing(there):
        there.settimeout(5)
        yield here, there


SENDS: dict[str, Callable[[socket.socket], object]] = {
    "send": lambda sender: sender.send(b"x"),
    "sendall": lambda sender: sender.sendall(b"x"),
    "sendmsg": lambda sender: sender.sendmsg([b"x"]),
    "a file of it": lambda sender: sender.makefile("wb", buffering=0).write(b"x"),
}


@pytest.mark.parametrize("way", sorted(SENDS))
def test_what_is_sent_on_a_connection_that_was_open_before_is_stopped_and_named(
    opened: tuple[Far, socket.socket], way: str
) -> None:
    line = SENDS[way].__code__.co_firstlineno
    with pytest.raises(NetworkForbidden, match=rf"{re.escape(HERE)}:{line}: socket\.\w+ to .*192"), no_network():
        SENDS[way](opened[0])
    opened[0].close()
    assert opened[1].recv(1) == b""


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("way", sorted(SENDS))
def test_what_is_sent_to_this_machine_on_a_connection_that_was_open_before_goes_on(
    opened: tuple[Far, socket.socket], way: str, peer: str
) -> None:
    # From Python 3.12 on asyncio writes what waits with sendmsg, which names no address.
    opened[0].peer = (peer, 443)
    with no_network() as attempts, loopback_allowed():
        SENDS[way](opened[0])
    assert (opened[1].recv(1), attempts) == (b"x", [])


def test_a_connection_under_tls_that_was_open_before_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    wrapped = ssl.create_default_context().wrap_socket(socket.socket(), server_hostname="marg.invalid")
    monkeypatch.setattr(ssl.SSLSocket, "getpeername", lambda self: Far.peer)
    with closing(wrapped) as far, no_network() as attempts:
        for send in (far.send, far.write):
            with pytest.raises(NetworkForbidden):
                send(b"x")
    assert len(attempts) == 2


def test_the_ways_to_send_are_as_before_once_the_guard_is_off() -> None:
    before = (dict(vars(socket.socket)), dict(vars(ssl.SSLSocket)))
    with no_network():
        assert (dict(vars(socket.socket)), dict(vars(ssl.SSLSocket))) != before
    assert (dict(vars(socket.socket)), dict(vars(ssl.SSLSocket))) == before


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no process is forked here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_an_attempt_of_a_forked_process_is_stopped_and_told_to_the_one_that_replays() -> None:
    def attempt() -> None:
        with pytest.raises(NetworkForbidden):
            connect()

    with no_network() as attempts:
        child = multiprocessing.get_context("fork").Process(target=attempt)
        child.start()
        child.join()
    line = connect.__code__.co_firstlineno + 2
    assert (child.exitcode, [Path(one).name.split(": ")[0] for one in attempts]) == (0, [f"{HERE}:{line}"])


def test_an_attempt_in_another_thread_is_stopped(listener: tuple[str, int]) -> None:
    stopped: list[BaseException] = []

    def attempt() -> None:
        try:
            socket.create_connection(listener).close()
        except NetworkForbidden as error:
            stopped.append(error)

    def run() -> None:
        thread = threading.Thread(target=attempt)
        thread.start()
        thread.join()

    _held(run)
    assert [f"{HERE}:" in str(error) for error in stopped] == [True]


def _held(run: Callable[[], object]) -> None:
    """Run under the guard, whatever the guard itself says in the end."""
    try:
        with no_network():
            run()
    except NetworkForbidden:
        pass


def test_what_needs_no_network_goes_on() -> None:
    async def nothing() -> str:
        left, right = socket.socketpair()
        with closing(left), closing(right):
            left.send(b"x")
            return right.recv(1).decode()

    with no_network():
        assert asyncio.run(nothing()) == "x"


def test_the_guard_is_off_afterwards(listener: tuple[str, int]) -> None:
    with no_network():
        pass
    with closing(socket.create_connection(listener)) as connected:
        assert connected.getpeername() == listener


def test_the_guard_is_off_after_an_attempt(listener: tuple[str, int]) -> None:
    _held(connect)
    with closing(socket.create_connection(listener)) as connected:
        assert connected.getpeername() == listener


def test_the_guard_holds_until_the_outermost_block_is_left() -> None:
    def run() -> None:
        with no_network():
            pass
        connect()

    with pytest.raises(NetworkForbidden), no_network():
        run()


KIT = """
import asyncio, contextlib, socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
import httpx, httpx2
from marg_runtime.steps import Option, chips_step
from marg_scenarios.support_intake.kit import KIT as SHIPPED

async def options(context):
    await attempt()
    return [Option(label="A", value="a")]

async def attempt():
    with ThreadPoolExecutor(1) as threads:
        {attempt}

STEP = chips_step(key="title", label="T", slot="title", lead="What?", options=options)
DOMAIN = replace(SHIPPED.domain, steps=(STEP, *SHIPPED.domain.steps[1:]))
KIT = replace(SHIPPED, domain=DOMAIN, machine=SHIPPED.scenarios / "only_listens.machine.yaml")
"""


TOOL_KIT = """
import socket
from dataclasses import replace
from marg_scenarios.support_intake.kit import KIT as SHIPPED, DeskBackend
from marg_scenarios.support_intake.tickets import Desk

class Online(Desk):
    def options(self, kind):
        socket.create_connection(("127.0.0.1", 9))

KIT = replace(SHIPPED, backend=lambda: DeskBackend(Online(":memory:", clock=lambda: 0)))
"""
REPORT = "My login fails since this morning. I get error 500 on every try."


def scenario_of_a_kit(folder: Path, attempt: str) -> Path:
    """A scenario whose kit tries to reach the network, and the module beside it."""
    name = f"kit_{folder.name}"
    (folder / f"{name}.py").write_text(KIT.format(attempt=attempt), encoding="utf-8")
    path = folder / "x.scenario.yaml"
    path.write_text(f"scenario: s\ndomain: {name}:KIT\nturns:\n  - say: hi\n", encoding="utf-8")
    return path


LINE = KIT[: KIT.index("{attempt}")].count("\n") + 1


@pytest.mark.parametrize(
    "attempt",
    [
        'socket.create_connection(("127.0.0.1", 9))',
        'with socket.socket() as s: s.bind(("127.0.0.1", 0))',
        'socket.getaddrinfo("localhost", 80)',
        'await asyncio.open_connection("127.0.0.1", 9)',
        'httpx.get("http://localhost:9/")',
        'httpx2.get("http://127.0.0.1:9/")',
        'with contextlib.suppress(Exception): socket.create_connection(("127.0.0.1", 9))',
        'await asyncio.to_thread(lambda: socket.create_connection(("127.0.0.1", 9)))',
        'threads.submit(lambda: socket.getaddrinfo("localhost", 80)).exception()',
    ],
)
def test_a_scenario_whose_kit_reaches_out_is_red_and_names_the_kits_line(tmp_path: Path, attempt: str) -> None:
    (red,) = network_reds(scenario_of_a_kit(tmp_path, attempt))
    assert f"kit_{tmp_path.name}.py:{LINE}: socket." in red


@pytest.mark.parametrize(
    "attempt",
    [
        'await asyncio.open_connection("localhost", 9)',
        'async with httpx.AsyncClient() as c: await c.get("http://localhost:9/")',
        'async with httpx2.AsyncClient() as c: await c.get("http://localhost:9/")',
        'async with httpx.AsyncClient() as c: await c.get("http://127.0.0.1:9/")',
        'async with httpx2.AsyncClient() as c: await c.get("http://127.0.0.1:9/")',
    ],
)
def test_what_a_pools_thread_or_another_task_does_for_the_kit_names_the_kits_line_too(
    tmp_path: Path, attempt: str
) -> None:
    # No frame of the kit's is on that stack: the line is that of whoever gave the work away.
    (red,) = network_reds(scenario_of_a_kit(tmp_path, attempt))
    assert f"kit_{tmp_path.name}.py:{LINE}: socket." in red


def test_an_attempt_inside_a_tool_of_the_kits_own_server_is_red(tmp_path: Path) -> None:
    # The server turns the error into a refusal, and the step says that it could not load its options.
    name = f"kit_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(TOOL_KIT, encoding="utf-8")
    path = tmp_path / "x.scenario.yaml"
    path.write_text(f"scenario: s\ndomain: {name}:KIT\nturns:\n  - say: {REPORT}\n", encoding="utf-8")
    (red,) = network_reds(path)
    assert f"{name}.py:{TOOL_KIT[: TOOL_KIT.index('socket.create')].count(chr(10)) + 1}: socket." in red


def network_reds(path: Path) -> list[str]:
    """What the red of the kind `network` says, of a scenario that reaches out."""
    return [str(check.got) for check in replay_scenario(load_scenario(path)).checks if check.kind == "network"]
