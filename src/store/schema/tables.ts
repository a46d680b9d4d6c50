/**
 * The schema of version 0.1.0. Columns of agent text (ids, titles, bodies) contain JSON, see `jsonText.ts`. Times are milliseconds since the
 * epoch.
 *
 * Changed in place until 0.1.0 is released; after it by a step at the end of `migrations.ts`, with a test of a history before it.
 */
export const tables = `
  CREATE TABLE contexts (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    context_id TEXT,
    title TEXT,               -- NULL until something happened: such a context is in no list
    own_title TEXT,           -- the person's, before the one that came about
    pinned INTEGER NOT NULL DEFAULT 0,
    created REAL NOT NULL,
    updated REAL NOT NULL,
    deleted REAL,             -- when; gone for good some time later
    rev INTEGER NOT NULL DEFAULT 0, -- grows with every write to the context; entries remember theirs
    made_by TEXT NOT NULL DEFAULT 'person', -- or 'file', 'agent', 'test': those of tests are never counted as waiting, and deleted after a time of their own
    opened_by TEXT            -- the process that shows it, the last of several
  ) STRICT;
  CREATE INDEX contexts_by_use ON contexts (pinned, updated, id) WHERE title IS NOT NULL AND deleted IS NULL;
  CREATE INDEX contexts_by_agent ON contexts (agent, pinned, updated, id, made_by) WHERE title IS NOT NULL AND deleted IS NULL;
  CREATE INDEX contexts_by_context_id ON contexts (agent, context_id, updated) WHERE context_id IS NOT NULL AND deleted IS NULL;
  CREATE INDEX contexts_empty ON contexts (updated) WHERE title IS NULL;
  CREATE INDEX contexts_deleted ON contexts (deleted) WHERE deleted IS NOT NULL;

  CREATE TABLE tasks (
    id INTEGER PRIMARY KEY,
    context INTEGER NOT NULL REFERENCES contexts ON DELETE CASCADE,
    agent TEXT NOT NULL,      -- the context's, again
    task_id TEXT NOT NULL,
    context_id TEXT,
    state TEXT NOT NULL,
    status TEXT NOT NULL,
    metadata TEXT,
    title TEXT,
    own_title TEXT,
    findings TEXT,
    pinned INTEGER NOT NULL DEFAULT 0,
    created REAL NOT NULL,
    updated REAL NOT NULL,
    deleted REAL,             -- the context's moment where the context was deleted
    seen_remotely REAL,       -- when the agent last listed it
    imported REAL,            -- when: nobody follows it unless asked to
    owner TEXT,               -- the process whose writes count
    following INTEGER NOT NULL DEFAULT 0,
    made_by TEXT NOT NULL DEFAULT 'person', -- the context's, again
    size INTEGER NOT NULL DEFAULT 0, -- bytes that the agent has told of it
    UNIQUE (context, task_id)
  ) STRICT;
  CREATE INDEX tasks_by_task_id ON tasks (task_id);
  CREATE INDEX tasks_unfinished ON tasks (state, updated)
    WHERE state IN ('TASK_STATE_UNSPECIFIED', 'TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING');
  CREATE INDEX tasks_followed ON tasks (following) WHERE following = 1;
  CREATE INDEX tasks_waiting ON tasks (context)
    WHERE state IN ('TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED') AND deleted IS NULL;
  CREATE INDEX tasks_by_use ON tasks (state, pinned, updated, id) WHERE deleted IS NULL;
  CREATE INDEX tasks_by_agent ON tasks (agent, state, pinned, updated, id, made_by) WHERE deleted IS NULL;
  CREATE INDEX tasks_by_context ON tasks (context, deleted, id);
  CREATE INDEX tasks_owned ON tasks (owner) WHERE owner IS NOT NULL;
  CREATE INDEX tasks_deleted ON tasks (deleted) WHERE deleted IS NOT NULL;

  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    context INTEGER NOT NULL REFERENCES contexts ON DELETE CASCADE,
    task INTEGER REFERENCES tasks ON DELETE CASCADE,
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    untimed INTEGER NOT NULL DEFAULT 0, -- 1: nobody knows when it happened; at is of the order alone; 2: it happened at that time or earlier
    message_id TEXT,
    delivery TEXT,
    outcome TEXT,             -- why it is 'refused' or 'unknown'
    owner TEXT,               -- the process that sends it, while delivery is 'sending'
    assistant TEXT,           -- the call of a language model that sent it, JSON
    exchange TEXT,
    rev INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX entries_by_context ON entries (context, seq);
  CREATE INDEX entries_by_rev ON entries (context, rev);
  CREATE INDEX entries_by_task ON entries (task, kind, seq) WHERE task IS NOT NULL;
  CREATE INDEX entries_by_message ON entries (context, message_id) WHERE message_id IS NOT NULL;
  CREATE INDEX entries_sent ON entries (task, seq) WHERE delivery = 'sent';
  CREATE INDEX entries_sending ON entries (owner) WHERE delivery = 'sending';
  CREATE INDEX entries_of_assistants ON entries (context, seq) WHERE assistant IS NOT NULL;
  CREATE INDEX entries_by_exchange ON entries (exchange) WHERE exchange IS NOT NULL;
  CREATE INDEX entries_of_artifacts ON entries (context, seq) WHERE kind = 'artifact';

  CREATE TABLE artifacts (
    id INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    artifact_id TEXT NOT NULL,
    entry INTEGER NOT NULL UNIQUE REFERENCES entries ON DELETE CASCADE,
    head TEXT NOT NULL,       -- everything but the parts
    complete INTEGER NOT NULL,
    removed INTEGER NOT NULL DEFAULT 0,
    past INTEGER NOT NULL DEFAULT 0, -- 1: it changed in a later turn of its task, which has a row of its own
    chunks INTEGER NOT NULL,
    verdict TEXT,             -- the person's: 'accepted', 'rejected' or none
    revision INTEGER NOT NULL DEFAULT 1, -- of its content; those before, as far as they are kept, are in artifact_revisions
    UNIQUE (task, artifact_id, entry)
  ) STRICT;

  -- What an artifact was before its agent replaced it within the task.
  CREATE TABLE artifact_revisions (
    artifact INTEGER NOT NULL REFERENCES artifacts ON DELETE CASCADE,
    number INTEGER NOT NULL,  -- counted from 1
    replaced REAL NOT NULL,   -- when
    apart INTEGER NOT NULL,   -- 1: by content that was not streamed
    head TEXT NOT NULL,       -- everything but the parts
    complete INTEGER NOT NULL,
    parts TEXT NOT NULL,      -- with text, as in artifact_chunks
    text BLOB NOT NULL,
    PRIMARY KEY (artifact, number)
  ) STRICT;

  -- Long answers are stored once: an agent that is polled repeats the same one. It is deleted with the last exchange that refers to it.
  CREATE TABLE answers (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE, -- SHA-256 of content
    content TEXT NOT NULL      -- body and bytes of a response, but for what is its own
  ) STRICT;

  CREATE TABLE exchanges (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    context INTEGER REFERENCES contexts ON DELETE CASCADE,
    task INTEGER REFERENCES tasks ON DELETE SET NULL, -- that it is about, where that was known
    body TEXT NOT NULL,
    answer INTEGER REFERENCES answers, -- what is not in body
    own TEXT,                 -- what the body of the response has for itself, and where
    findings TEXT,            -- those of its reading, as in its body; NULL where there are none
    noted TEXT                -- those that only showed when its events were put together
  ) STRICT;
  CREATE INDEX exchanges_by_context ON exchanges (context, id);
  CREATE INDEX exchanges_with_findings ON exchanges (context, id) WHERE findings IS NOT NULL OR noted IS NOT NULL;
  CREATE INDEX exchanges_by_time ON exchanges (json_extract(body, '$.startedAt'));
  CREATE INDEX exchanges_by_answer ON exchanges (answer) WHERE answer IS NOT NULL;
  CREATE INDEX exchanges_by_task ON exchanges (task) WHERE task IS NOT NULL;
  CREATE TRIGGER answers_gone AFTER DELETE ON exchanges
    WHEN OLD.answer IS NOT NULL AND NOT EXISTS (SELECT 1 FROM exchanges WHERE answer = OLD.answer) BEGIN
    DELETE FROM answers WHERE id = OLD.answer;
  END;
  CREATE TRIGGER answers_changed AFTER UPDATE OF answer ON exchanges
    WHEN OLD.answer IS NOT NULL AND OLD.answer IS NOT NEW.answer AND NOT EXISTS (SELECT 1 FROM exchanges WHERE answer = OLD.answer) BEGIN
    DELETE FROM answers WHERE id = OLD.answer;
  END;

  -- One row for the updates of one write, so that a stream of n chunks writes n chunks and not n*n/2.
  CREATE TABLE artifact_chunks (
    id INTEGER PRIMARY KEY,
    artifact INTEGER NOT NULL REFERENCES artifacts ON DELETE CASCADE,
    parts TEXT NOT NULL,
    text BLOB,                -- of parts that are nothing but text; in parts, their lengths
    exchange INTEGER REFERENCES exchanges, -- whose frames hold the parts; nothing in parts, then. It cannot be deleted before they are copied
    first INTEGER,            -- of these frames, by number
    last INTEGER
  ) STRICT;
  CREATE INDEX artifact_chunks_by_artifact ON artifact_chunks (artifact, id);
  CREATE INDEX artifact_chunks_by_exchange ON artifact_chunks (exchange) WHERE exchange IS NOT NULL;

  CREATE TABLE frames (
    exchange INTEGER NOT NULL REFERENCES exchanges ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    count INTEGER NOT NULL,   -- events, numbered from seq on
    body TEXT NOT NULL,
    data BLOB NOT NULL,       -- theirs, one after the other; the rest of each is in body
    PRIMARY KEY (exchange, seq)
  ) STRICT;

  CREATE TABLE owners (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    beat REAL NOT NULL
  ) STRICT;

  -- Which agents the names in the history belong to.
  CREATE TABLE agents (
    agent TEXT PRIMARY KEY,   -- as in contexts.agent, JSON
    name TEXT NOT NULL,       -- its name where it is defined, JSON
    place TEXT NOT NULL,      -- who defines it: 'user', the address of a workspace or folder, or '' where nobody knows
    label TEXT NOT NULL,      -- of the place, for people, JSON
    origins TEXT NOT NULL,    -- JSON
    claimed REAL NOT NULL     -- when a window had it last, to within a day
  ) STRICT;
  CREATE INDEX agents_by_name ON agents (name);
  CREATE INDEX agents_by_claim ON agents (claimed);

  -- Runs of the conformance suite.
  CREATE TABLE checks (
    id INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,      -- as in contexts.agent, JSON
    at REAL NOT NULL,         -- when it began
    failed INTEGER NOT NULL,  -- how many MUSTs were broken
    warned INTEGER NOT NULL,  -- how many other rules
    whole INTEGER NOT NULL,   -- 1 where all was asked and answered
    report BLOB NOT NULL      -- JSON, deflated
  ) STRICT;
  CREATE INDEX checks_by_agent ON checks (agent, id);
`;

/** The word index, which is filled after the writes: `unindexed` lists what it does not have yet. */
export const wordTables = `
  -- Folded text by its sets of three neighbouring characters, of any script. Neither text nor positions are kept: what it proposes is
  -- looked at again. The rowid is the entry's seq; in names, twice the id of a context, or that of a task and one more.
  CREATE VIRTUAL TABLE entry_words USING fts5 (text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');
  CREATE VIRTUAL TABLE entry_words_terms USING fts5vocab (entry_words, 'row');
  CREATE VIRTUAL TABLE name_words USING fts5 (text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');
  CREATE VIRTUAL TABLE name_words_terms USING fts5vocab (name_words, 'row');

  -- Each step of indexing merges a little: by itself FTS5 merges all at once in the end, and everybody waits for it.
  INSERT INTO entry_words (entry_words, rank) VALUES ('automerge', 0), ('crisismerge', 64);
  INSERT INTO name_words (name_words, rank) VALUES ('automerge', 0), ('crisismerge', 64);

  CREATE TABLE unindexed (
    kind TEXT NOT NULL,       -- 'entry', 'context' or 'task'
    id INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER entries_new AFTER INSERT ON entries WHEN NEW.kind IN ('message', 'status', 'artifact') BEGIN
    INSERT OR IGNORE INTO unindexed VALUES ('entry', NEW.seq);
  END;
  -- An artifact's content is in other tables: its rev says that it changed.
  CREATE TRIGGER entries_changed AFTER UPDATE OF body, rev ON entries
  WHEN NEW.kind = 'artifact' OR (NEW.kind IN ('message', 'status') AND NEW.body IS NOT OLD.body) BEGIN
    INSERT OR IGNORE INTO unindexed VALUES ('entry', NEW.seq);
  END;
  CREATE TRIGGER entries_gone AFTER DELETE ON entries BEGIN
    DELETE FROM entry_words WHERE rowid = OLD.seq;
    DELETE FROM unindexed WHERE kind = 'entry' AND id = OLD.seq;
  END;
  CREATE TRIGGER contexts_new AFTER INSERT ON contexts BEGIN
    INSERT OR IGNORE INTO unindexed VALUES ('context', NEW.id);
  END;
  CREATE TRIGGER contexts_changed AFTER UPDATE OF title, own_title, context_id ON contexts BEGIN
    INSERT OR IGNORE INTO unindexed VALUES ('context', NEW.id);
  END;
  CREATE TRIGGER contexts_gone AFTER DELETE ON contexts BEGIN
    DELETE FROM name_words WHERE rowid = OLD.id * 2;
    DELETE FROM unindexed WHERE kind = 'context' AND id = OLD.id;
  END;
  CREATE TRIGGER tasks_new AFTER INSERT ON tasks BEGIN
    INSERT OR IGNORE INTO unindexed VALUES ('task', NEW.id);
  END;
  CREATE TRIGGER tasks_changed AFTER UPDATE OF title, own_title, task_id ON tasks BEGIN
    INSERT OR IGNORE INTO unindexed VALUES ('task', NEW.id);
  END;
  CREATE TRIGGER tasks_gone AFTER DELETE ON tasks BEGIN
    DELETE FROM name_words WHERE rowid = OLD.id * 2 + 1;
    DELETE FROM unindexed WHERE kind = 'task' AND id = OLD.id;
  END;
`;
