-- The example desk: its reference data, its tickets and its own count of the create calls it received.
-- Read by tickets.py for an empty database; where two processes open one at once it runs twice, to no other effect.

BEGIN IMMEDIATE;

CREATE TABLE IF NOT EXISTS priorities (value TEXT PRIMARY KEY, label TEXT NOT NULL, position INTEGER NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS categories (value TEXT PRIMARY KEY, label TEXT NOT NULL, position INTEGER NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS visibilities (value TEXT PRIMARY KEY, label TEXT NOT NULL, position INTEGER NOT NULL UNIQUE);

-- One row for each create call that reached the desk, whatever became of it; `open` is a call that broke on the way.
CREATE TABLE IF NOT EXISTS create_calls (
    number INTEGER PRIMARY KEY,
    outcome TEXT NOT NULL DEFAULT 'open' CHECK (outcome IN ('open', 'refused', 'written', 'repeated')),
    reason TEXT
);

-- Lengths in characters are checked in tickets.py: length() of SQLite stops at a NUL.
CREATE TABLE IF NOT EXISTS tickets (
    number INTEGER PRIMARY KEY,
    title TEXT NOT NULL CHECK (title <> ''),
    details TEXT NOT NULL CHECK (details <> ''),
    priority TEXT NOT NULL REFERENCES priorities (value),
    category TEXT NOT NULL REFERENCES categories (value),
    visibility TEXT NOT NULL REFERENCES visibilities (value),
    attachment_note TEXT,
    idempotency_key TEXT UNIQUE,
    created_at INTEGER NOT NULL, -- milliseconds since 1970, UTC
    create_call INTEGER UNIQUE REFERENCES create_calls (number) -- NULL for those that the desk started with
);

INSERT OR IGNORE INTO priorities (value, label, position) VALUES
    ('low', 'Low', 1),
    ('medium', 'Medium', 2),
    ('high', 'High', 3),
    ('urgent', 'Urgent', 4);

INSERT OR IGNORE INTO categories (value, label, position) VALUES
    ('account', 'Account', 1),
    ('billing', 'Billing', 2),
    ('bug', 'Bug', 3),
    ('other', 'Other', 4);

INSERT OR IGNORE INTO visibilities (value, label, position) VALUES
    ('private', 'Private', 1),
    ('public', 'Public', 2);

INSERT OR IGNORE INTO tickets (number, title, details, priority, category, visibility, attachment_note, created_at) VALUES
    (1001, 'Password reset mail never arrives', 'I asked for a reset three times since Monday and no mail came, not even to spam.', 'high', 'account', 'public', NULL, 1772442000000),
    (1002, 'Charged twice for the March invoice', 'My card statement shows the March invoice two times, one day apart.', 'high', 'billing', 'private', 'card statement, first page', 1772528400000),
    (1003, 'Export to CSV drops the last row', 'Whenever the table is sorted by date, the exported file ends one row early.', 'medium', 'bug', 'public', NULL, 1772614800000),
    (1004, 'Please add a dark theme', 'The white background is hard on the eyes during night shifts.', 'low', 'other', 'public', NULL, 1772701200000),
    (1005, 'Sign-in page loops on mobile', 'After entering the code the sign-in page loads again and asks for the code once more.', 'urgent', 'bug', 'public', 'screen recording', 1772787600000),
    (1006, 'Change the name on my account', 'I married last month and need my new family name on the account and on invoices.', 'low', 'account', 'private', NULL, 1772874000000);

PRAGMA user_version = 1;

COMMIT;
