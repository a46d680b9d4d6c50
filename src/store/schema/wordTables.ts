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
