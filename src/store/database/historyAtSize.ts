/**
 * The schema's step to a history of any size: a word index that is filled after the writes (`unindexed` lists what it does not have yet),
 * lists with pinned rows first, the person's own titles, and deletions that can be undone.
 */
export const historyAtSize = `
  ALTER TABLE contexts ADD COLUMN own_title TEXT;  -- the person's, before the one that came about
  ALTER TABLE contexts ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE contexts ADD COLUMN deleted REAL;    -- when; gone for good some time later
  ALTER TABLE tasks ADD COLUMN agent TEXT NOT NULL DEFAULT '';  -- the context's, again
  ALTER TABLE tasks ADD COLUMN own_title TEXT;
  ALTER TABLE tasks ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tasks ADD COLUMN deleted REAL;       -- the context's moment where the context was deleted
  ALTER TABLE tasks ADD COLUMN seen_remotely REAL; -- when the agent last listed it
  ALTER TABLE tasks ADD COLUMN imported REAL;      -- when: nobody follows it unless asked to
  UPDATE tasks SET agent = (SELECT agent FROM contexts c WHERE c.id = context);

  DROP INDEX contexts_by_use;
  CREATE INDEX contexts_by_use ON contexts (pinned, updated, id) WHERE title IS NOT NULL AND deleted IS NULL;
  CREATE INDEX contexts_by_agent ON contexts (agent, pinned, updated, id) WHERE title IS NOT NULL AND deleted IS NULL;
  DROP INDEX contexts_by_context_id;
  CREATE INDEX contexts_by_context_id ON contexts (agent, context_id, updated) WHERE context_id IS NOT NULL AND deleted IS NULL;
  CREATE INDEX contexts_empty ON contexts (updated) WHERE title IS NULL;
  CREATE INDEX contexts_deleted ON contexts (deleted) WHERE deleted IS NOT NULL;
  CREATE INDEX tasks_by_use ON tasks (state, pinned, updated, id) WHERE deleted IS NULL;
  CREATE INDEX tasks_by_agent ON tasks (agent, state, pinned, updated, id) WHERE deleted IS NULL;
  CREATE INDEX tasks_by_context ON tasks (context, deleted, id);
  CREATE INDEX tasks_owned ON tasks (owner) WHERE owner IS NOT NULL;
  CREATE INDEX tasks_deleted ON tasks (deleted) WHERE deleted IS NOT NULL;
  DROP INDEX tasks_waiting;
  CREATE INDEX tasks_waiting ON tasks (context)
    WHERE state IN ('TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED') AND deleted IS NULL;
  CREATE INDEX entries_by_exchange ON entries (exchange) WHERE exchange IS NOT NULL;
  CREATE INDEX exchanges_by_time ON exchanges (json_extract(body, '$.startedAt'));

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
  INSERT INTO unindexed SELECT 'entry', seq FROM entries WHERE kind IN ('message', 'status', 'artifact') ORDER BY seq;
  INSERT INTO unindexed SELECT 'context', id FROM contexts ORDER BY id;
  INSERT INTO unindexed SELECT 'task', id FROM tasks ORDER BY id;

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
