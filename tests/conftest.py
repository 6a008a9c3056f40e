"""What every test folder shares: where the public corpora and PostgreSQL are."""

from __future__ import annotations

import fcntl
import gc
import os
import pickle
import shutil
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Protocol, TypeVar

import pytest

if TYPE_CHECKING:
    from marg_reports import RunRecord

_T = TypeVar("_T")

REPOSITORY = Path(__file__).resolve().parent.parent
IN_MEMORY, ROOM_FOR_DATABASES = Path("/dev/shm"), 2**30
SHIPPED = ("support_intake", "room_booking")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the garbage collector: thousands of tests make much, leave no garbage, and stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.fixture
def anyio_backend() -> str:
    """What coroutines are run by, in tests that are marked `anyio`."""
    return "asyncio"


@pytest.fixture(scope="session")
def corpora_folder() -> Path:
    """Give the folder of the public corpora, from MARG_CORPORA; skip without it, or fail where MARG_REQUIRE is 1."""
    folder = Path(os.environ.get("MARG_CORPORA") or REPOSITORY / "../shared/corpora").resolve()
    if not (folder / "sgd.jsonl.gz").is_file():
        message = "the public corpora are not here; set MARG_CORPORA to the folder that holds sgd.jsonl.gz"
        _missing(message)
    return folder


@pytest.fixture(scope="session")
def database_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Path]]:
    """Give what makes empty folders for databases of SQLite: in memory, where there is a file system there with room.

    A process that is killed leaves there what it would leave on a disk, and no commit waits for a disk. For the same
    reason the PostgreSQL of the tests runs with fsync off.
    """
    in_memory = IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK)
    if not in_memory or shutil.disk_usage(IN_MEMORY).free < ROOM_FOR_DATABASES:
        yield lambda: tmp_path_factory.mktemp("database")
        return
    with TemporaryDirectory(prefix="marg-tests-", dir=IN_MEMORY) as whole:
        yield lambda: Path(mkdtemp(dir=whole))


@pytest.fixture
def database_folder(database_folders: Callable[[], Path]) -> Path:
    """Give an empty folder for the databases of one test."""
    return database_folders()


@pytest.fixture(scope="session")
def postgres_server() -> str:
    """Give the URL of a PostgreSQL to make schemas in, from MARG_POSTGRES; skip without it, or fail where MARG_REQUIRE
    is 1."""
    url = os.environ.get("MARG_POSTGRES")
    if not url:
        _missing('no PostgreSQL here; start one for the tests: eval "$(.ci/postgres start)"')
    return str(url)


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """Give the URL of a schema of this test's own on the PostgreSQL, which is dropped behind it."""
    with _schema(postgres_server) as url:
        yield url


@pytest.fixture(scope="module")
def postgres_module_url(postgres_server: str) -> Iterator[str]:
    """Give the URL of a schema for the tests of one module."""
    with _schema(postgres_server) as url:
        yield url


@contextmanager
def _schema(server: str) -> Iterator[str]:
    # Only a test that asks for PostgreSQL needs its driver; the tests on the built wheel have none.
    import psycopg

    schema = f"marg_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        yield f"{server}?options=-csearch_path%3D{schema}"
        connection.execute(f"DROP SCHEMA {schema} CASCADE")


class Once(Protocol):
    """Makes something that takes long, once for all workers of a test run."""

    def __call__(self, name: str, make: Callable[[], _T]) -> _T: ...


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Give what makes a thing by its name, or finds what another worker has made; pickle has to take it."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent

    def made(name: str, make: Callable[[], _T]) -> _T:
        path = folder / f"{name}.pickle"
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                path.write_bytes(pickle.dumps(make()))
            found: _T = pickle.loads(path.read_bytes())
            return found

    return made


@pytest.fixture(scope="session")
def shipped_run(once: Once) -> RunRecord:
    """Give the record of all that ships, replayed once for all workers where the caller allows writes."""
    # Most tests replay nothing of what ships, and need not wait for the imports of a replay.
    from marg_harness.replay import load_all, replay
    from marg_scenarios import find_kit

    def replayed() -> RunRecord:
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(REPOSITORY)
            patch.setenv("MARG_ALLOW_WRITES", "true")
            return replay(load_all([find_kit(name).scenarios for name in SHIPPED]))

    return once("shipped-run", replayed)


def _missing(message: str) -> None:
    if os.environ.get("MARG_REQUIRE") == "1":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test a terminal of 200 columns: readline tells the children of a test run that it has 80."""
    monkeypatch.setenv("COLUMNS", "200")
