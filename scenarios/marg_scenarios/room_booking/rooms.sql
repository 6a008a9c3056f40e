-- The example house: its rooms, what stands in them, its bookings and its own count of the create calls it received.
-- Read by rooms.py for an empty database; where two processes open one at once it runs twice, to no other effect.

BEGIN IMMEDIATE;

CREATE TABLE IF NOT EXISTS rooms (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    floor INTEGER NOT NULL,
    seats INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS equipment (value TEXT PRIMARY KEY, label TEXT NOT NULL, position INTEGER NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS seatings (value TEXT PRIMARY KEY, label TEXT NOT NULL, position INTEGER NOT NULL UNIQUE);

CREATE TABLE IF NOT EXISTS room_equipment (
    room TEXT NOT NULL REFERENCES rooms (id),
    equipment TEXT NOT NULL REFERENCES equipment (value),
    PRIMARY KEY (room, equipment)
);
CREATE TABLE IF NOT EXISTS room_seatings (
    room TEXT NOT NULL REFERENCES rooms (id),
    seating TEXT NOT NULL REFERENCES seatings (value),
    PRIMARY KEY (room, seating)
);

-- One row for each create call that reached the house, whatever became of it; `open` is a call that broke on the way.
CREATE TABLE IF NOT EXISTS create_calls (
    number INTEGER PRIMARY KEY,
    outcome TEXT NOT NULL DEFAULT 'open' CHECK (outcome IN ('open', 'refused', 'written', 'repeated')),
    reason TEXT
);

CREATE TABLE IF NOT EXISTS bookings (
    number INTEGER PRIMARY KEY,
    date TEXT NOT NULL, -- YYYY-MM-DD
    part TEXT NOT NULL CHECK (part IN ('morning', 'afternoon', 'evening')),
    people INTEGER NOT NULL CHECK (people > 0),
    contact TEXT NOT NULL CHECK (contact <> ''),
    purpose TEXT,
    room TEXT NOT NULL REFERENCES rooms (id),
    seating TEXT NOT NULL REFERENCES seatings (value),
    equipment TEXT NOT NULL, -- a JSON list of values
    note TEXT,
    idempotency_key TEXT UNIQUE,
    created_at INTEGER NOT NULL, -- milliseconds since 1970, UTC
    create_call INTEGER UNIQUE REFERENCES create_calls (number), -- NULL for those that the house started with
    UNIQUE (room, date, part)
);

INSERT OR IGNORE INTO rooms (id, name, floor, seats) VALUES
    ('atrium', 'Atrium', 0, 80),
    ('birch', 'Birch', 1, 6),
    ('cedar', 'Cedar', 1, 8),
    ('dune', 'Dune', 2, 12),
    ('elm', 'Elm', 2, 12),
    ('fjord', 'Fjord', 3, 20),
    ('garden-hall', 'Garden hall', 0, 40),
    ('harbour', 'Harbour', 3, 24);

INSERT OR IGNORE INTO equipment (value, label, position) VALUES
    ('projector', 'Projector', 1),
    ('whiteboard', 'Whiteboard', 2),
    ('video', 'Video and sound', 3),
    ('flipchart', 'Flip chart', 4);

INSERT OR IGNORE INTO seatings (value, label, position) VALUES
    ('table', 'One table', 1),
    ('rows', 'Rows', 2),
    ('circle', 'Circle', 3);

INSERT OR IGNORE INTO room_equipment (room, equipment) VALUES
    ('atrium', 'projector'), ('atrium', 'video'),
    ('birch', 'whiteboard'),
    ('cedar', 'whiteboard'), ('cedar', 'flipchart'),
    ('dune', 'projector'), ('dune', 'whiteboard'), ('dune', 'flipchart'),
    ('elm', 'projector'), ('elm', 'whiteboard'), ('elm', 'video'), ('elm', 'flipchart'),
    ('fjord', 'projector'), ('fjord', 'whiteboard'), ('fjord', 'video'),
    ('garden-hall', 'projector'), ('garden-hall', 'video'), ('garden-hall', 'flipchart'),
    ('harbour', 'projector'), ('harbour', 'whiteboard');

INSERT OR IGNORE INTO room_seatings (room, seating) VALUES
    ('atrium', 'rows'), ('atrium', 'circle'),
    ('birch', 'table'),
    ('cedar', 'table'), ('cedar', 'circle'),
    ('dune', 'table'), ('dune', 'rows'), ('dune', 'circle'),
    ('elm', 'table'), ('elm', 'circle'),
    ('fjord', 'table'), ('fjord', 'rows'),
    ('garden-hall', 'rows'), ('garden-hall', 'circle'),
    ('harbour', 'table'), ('harbour', 'rows');

INSERT OR IGNORE INTO bookings (number, date, part, people, contact, purpose, room, seating, equipment, note, created_at) VALUES
    (501, '2026-03-02', 'morning', 10, 'ines@example.org', 'Planning', 'dune', 'table', '["whiteboard"]', NULL, 1767225600000),
    (502, '2026-03-02', 'morning', 18, 'omar@example.org', NULL, 'fjord', 'rows', '["projector"]', NULL, 1767225600000),
    (503, '2026-03-03', 'evening', 60, 'lena@example.org', 'Lecture', 'atrium', 'rows', '["projector", "video"]', NULL, 1767225600000);

PRAGMA user_version = 1;

COMMIT;
