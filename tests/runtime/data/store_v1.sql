-- A store of schema version 1, as it was written: one session, in the midst of a conversation.
CREATE TABLE marg_schema (version INTEGER NOT NULL);
INSERT INTO marg_schema (version) VALUES (1);
CREATE TABLE marg_sessions (
    session VARCHAR(255) PRIMARY KEY,
    revision INTEGER NOT NULL,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL
);
CREATE TABLE marg_entries (
    session VARCHAR(255) NOT NULL REFERENCES marg_sessions (session) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (session, revision)
);
CREATE TABLE marg_leases (
    session VARCHAR(255) PRIMARY KEY,
    holder VARCHAR(255) NOT NULL,
    expires BIGINT NOT NULL
);
INSERT INTO marg_sessions (session, revision, first_at, last_at) VALUES ('s1', 15, 0, 2000);
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 1, '{"at": 0, "event": {"domain": "desk", "language": "en", "reader": "whole_message", "session": "s1", "skill_digest": "eff89869759371bda9dd0f5ef1b071ad879c0a81a37d3a69ffdcb5f5750669f9", "tools": [{"identity": "desk 1", "schema_digest": "f3eee4ab39c20c11e91ef2e37a8f60e7a95b4727b486cf9f742af8ec958956ff", "tool": {"name": "levels", "server": "desk"}}, {"identity": "desk 1", "schema_digest": "e7f64cc653964ba79b2bd5de16dcb30c019c5ffbfcef47425ce6b40e72a542c6", "tool": {"name": "search", "server": "desk"}}, {"identity": "desk 1", "schema_digest": "ef88c0b7fb08f9fa581de870aa0c8234baa2176851023af35bd5fd054862a524", "tool": {"name": "create", "server": "desk"}}], "vocabulary_digest": "9d6eada9fdf637bbe9efb9b3521e517ad1bd8b79896c04b3ba377ddf971fc2a5"}, "kind": "SessionOpened", "revision": 1, "turn": 0, "version": 1}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 2, '{"at": 1000, "event": {"act": {"at": 1000, "seen": null, "text": "hello"}}, "kind": "ActQueued", "revision": 2, "turn": 0, "version": 2}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 3, '{"at": 1000, "event": {"act": 2, "seen": null, "text": "hello"}, "kind": "UserSaid", "revision": 3, "turn": 1, "version": 1}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 4, '{"at": 1000, "event": {"choice": null, "choices": [], "kind": "content", "language": "en", "question": null, "reader": "whole_message", "tokens": [{"text": "hello", "token_class": "unknown"}], "why": ["no question is open", "no question is open"]}, "kind": "ReplyRead", "revision": 4, "turn": 1, "version": 2}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 5, '{"at": 1000, "event": {"carries_rule": true, "number": 1, "request_digest": "a643ac216eb9fa57a81810bf4c88a30143f4978ef2339c209fce1500fe8bdc6d"}, "kind": "ModelCalled", "revision": 5, "turn": 1, "version": 1}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 6, '{"at": 1000, "event": {"calls": [], "finish": "stop", "raw": "Hello.", "shown": "Hello."}, "kind": "ModelReplied", "revision": 6, "turn": 1, "version": 1}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 7, '{"at": 1000, "event": {"fields": [], "kind": "text", "label": "Title", "lead": "What should it be called?", "options": [], "page": null, "question": "s1:title-1", "redraw": false, "rows": [], "selection": null, "step": "title"}, "kind": "QuestionDrawn", "revision": 7, "turn": 1, "version": 2}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 8, '{"at": 1000, "event": {"question": "s1:title-1"}, "kind": "AnswerDelivered", "revision": 8, "turn": 1, "version": 1}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 9, '{"at": 2000, "event": {"act": {"at": 2000, "seen": 8, "text": "Lamp broken"}}, "kind": "ActQueued", "revision": 9, "turn": 1, "version": 2}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 10, '{"at": 2000, "event": {"act": 9, "seen": 8, "text": "Lamp broken"}, "kind": "UserSaid", "revision": 10, "turn": 2, "version": 1}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 11, '{"at": 2000, "event": {"choice": null, "choices": [], "kind": "content", "language": "en", "question": "s1:title-1", "reader": "whole_message", "tokens": [{"text": "Lamp", "token_class": "unknown"}, {"text": "broken", "token_class": "unknown"}], "why": ["the question asks for more than yes or no"]}, "kind": "ReplyRead", "revision": 11, "turn": 2, "version": 2}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 12, '{"at": 2000, "event": {"outcome": "answer", "question": "s1:title-1"}, "kind": "ReplyOutcome", "revision": 12, "turn": 2, "version": 1}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 13, '{"at": 2000, "event": {"fact": "Title set to \"Lamp broken\".", "slot": "title", "step": "title", "value": {"label": "Lamp broken", "provenance": "typed", "span": {"end": 11, "said": 1, "start": 0}, "value": "Lamp broken"}}, "kind": "ValueSettled", "revision": 13, "turn": 2, "version": 1}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 14, '{"at": 2000, "event": {"fields": [], "kind": "chips", "label": "Place", "lead": "Where is it?", "options": [{"keep": false, "label": "Office", "skip": false, "synonyms": [], "value": "office"}, {"keep": false, "label": "Home", "skip": false, "synonyms": [], "value": "home"}], "page": null, "question": "s1:place-2", "redraw": false, "rows": [], "selection": null, "step": "place"}, "kind": "QuestionDrawn", "revision": 14, "turn": 2, "version": 2}');
INSERT INTO marg_entries (session, revision, line) VALUES ('s1', 15, '{"at": 2000, "event": {"question": "s1:place-2"}, "kind": "AnswerDelivered", "revision": 15, "turn": 2, "version": 1}');
INSERT INTO marg_leases (session, holder, expires) VALUES ('s1', 'a worker that died', 1);
