"""The tables of a store in SQL, as the present version of the schema has them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, MetaData, String, Table, Text

from marg_runtime.store.store import LONGEST_ID

METADATA = MetaData()

SESSIONS = Table(
    "marg_sessions",
    METADATA,
    Column("session", String(LONGEST_ID), primary_key=True),
    # The head of the ledger: an append moves it from the revision that it follows on, or is refused.
    Column("revision", Integer, nullable=False),
    Column("first_at", BigInteger, nullable=False),
    Column("last_at", BigInteger, nullable=False),
)

ENTRIES = Table(
    "marg_entries",
    METADATA,
    Column("session", ForeignKey(SESSIONS.c.session, ondelete="CASCADE"), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
)

SNAPSHOTS = Table(
    "marg_snapshots",
    METADATA,
    Column("session", ForeignKey(SESSIONS.c.session, ondelete="CASCADE"), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("digest", Text, nullable=False),
    Column("body", Text, nullable=False),
)

# No key into the sessions: a lease is taken before the first entry of a session is there.
LEASES = Table(
    "marg_leases",
    METADATA,
    Column("session", String(LONGEST_ID), primary_key=True),
    Column("holder", String(LONGEST_ID), nullable=False),
    Column("expires", BigInteger, nullable=False),
)
