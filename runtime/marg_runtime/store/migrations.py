"""The versions of a store's schema in SQL: forward only, one after the other, each as it was when it was released."""

from __future__ import annotations

from sqlalchemy import Connection, text

from marg_runtime.errors import StoreError

# One text for SQLite and PostgreSQL. A version that was released is never edited; a change is a version more.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE marg_sessions (
            session VARCHAR(255) PRIMARY KEY,
            revision INTEGER NOT NULL,
            first_at BIGINT NOT NULL,
            last_at BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE marg_entries (
            session VARCHAR(255) NOT NULL REFERENCES marg_sessions (session) ON DELETE CASCADE,
            revision INTEGER NOT NULL,
            line TEXT NOT NULL,
            PRIMARY KEY (session, revision)
        )
        """,
        """
        CREATE TABLE marg_leases (
            session VARCHAR(255) PRIMARY KEY,
            holder VARCHAR(255) NOT NULL,
            expires BIGINT NOT NULL
        )
        """,
    ),
    (
        """
        CREATE TABLE marg_snapshots (
            session VARCHAR(255) PRIMARY KEY REFERENCES marg_sessions (session) ON DELETE CASCADE,
            revision INTEGER NOT NULL,
            digest TEXT NOT NULL,
            body TEXT NOT NULL
        )
        """,
    ),
)

SCHEMA_VERSION = len(MIGRATIONS)

# Any number that nothing else locks: two processes that open a new database at once take turns.
_LOCK = 0x6D617267


def migrate(connection: Connection) -> None:
    """Bring a database to the present version, within the transaction that is open.

    Raises StoreError for a schema of a later release: it is left as it is.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    connection.execute(text("CREATE TABLE IF NOT EXISTS marg_schema (version INTEGER NOT NULL)"))
    version = connection.execute(text("SELECT MAX(version) FROM marg_schema")).scalar() or 0
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"the store's schema has version {version!r}, and this release knows up to {SCHEMA_VERSION!r}; "
            "open it with the release that wrote it, or a later one"
        )
    for statements in MIGRATIONS[version:]:
        version += 1
        for statement in statements:
            connection.execute(text(statement))
        connection.execute(text("INSERT INTO marg_schema (version) VALUES (:version)"), {"version": version})
