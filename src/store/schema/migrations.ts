import { Problem, sentence } from '../../protocol/problem.ts';
import { agentIdentities } from '../rows/agentIdentities.ts';
import { artifactRevisions } from '../rows/artifactRevisions.ts';
import { artifactVerdicts } from '../lists/contextArtifacts.ts';
import type { Database } from '../database/database.ts';
import { partsInFrames } from '../rows/heldParts.ts';
import { historyAtSize } from '../database/historyAtSize.ts';
import { longAnswers } from '../texts/longAnswers.ts';
import { packedRows } from '../rows/packedRows.ts';
import { taskSizes } from '../rows/taskSizes.ts';
import { testRuns } from '../lists/testRuns.ts';
import { textsInFiles } from '../texts/textFiles.ts';

/**
 * The schema, as steps that are never edited once released: `user_version` counts the steps taken. Columns of agent text (ids, titles, bodies)
 * contain JSON, see `jsonText.ts`. Times are milliseconds since the epoch.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE contexts (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    context_id TEXT,
    title TEXT,               -- NULL until something happened: such a context is in no list
    created REAL NOT NULL,
    updated REAL NOT NULL,
    rev INTEGER NOT NULL DEFAULT 0  -- grows with every write to the context; entries remember theirs
  ) STRICT;
  CREATE INDEX contexts_by_use ON contexts (agent, updated, id) WHERE title IS NOT NULL;
  CREATE INDEX contexts_by_context_id ON contexts (agent, context_id) WHERE context_id IS NOT NULL;

  CREATE TABLE tasks (
    id INTEGER PRIMARY KEY,
    context INTEGER NOT NULL REFERENCES contexts ON DELETE CASCADE,
    task_id TEXT NOT NULL,
    context_id TEXT,
    state TEXT NOT NULL,
    status TEXT NOT NULL,
    metadata TEXT,
    title TEXT,
    findings TEXT,
    created REAL NOT NULL,
    updated REAL NOT NULL,
    owner TEXT,               -- the process whose writes count
    following INTEGER NOT NULL DEFAULT 0,
    UNIQUE (context, task_id)
  ) STRICT;
  CREATE INDEX tasks_by_task_id ON tasks (task_id);
  CREATE INDEX tasks_unfinished ON tasks (state, updated)
    WHERE state IN ('TASK_STATE_UNSPECIFIED', 'TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING');
  CREATE INDEX tasks_followed ON tasks (following) WHERE following = 1;
  CREATE INDEX tasks_waiting ON tasks (context) WHERE state IN ('TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED');

  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    context INTEGER NOT NULL REFERENCES contexts ON DELETE CASCADE,
    task INTEGER REFERENCES tasks ON DELETE CASCADE,
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    message_id TEXT,
    delivery TEXT,
    owner TEXT,               -- the process that sends it, while delivery is 'sending'
    exchange TEXT,
    rev INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX entries_by_context ON entries (context, seq);
  CREATE INDEX entries_by_rev ON entries (context, rev);
  CREATE INDEX entries_by_task ON entries (task, kind, seq) WHERE task IS NOT NULL;
  CREATE INDEX entries_by_message ON entries (context, message_id) WHERE message_id IS NOT NULL;
  CREATE INDEX entries_sending ON entries (owner) WHERE delivery = 'sending';

  CREATE TABLE artifacts (
    id INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    artifact_id TEXT NOT NULL,
    entry INTEGER NOT NULL UNIQUE REFERENCES entries ON DELETE CASCADE,
    head TEXT NOT NULL,       -- everything but the parts
    complete INTEGER NOT NULL,
    removed INTEGER NOT NULL DEFAULT 0,
    chunks INTEGER NOT NULL,
    UNIQUE (task, artifact_id)
  ) STRICT;

  -- One row an update, so that a stream of n chunks writes n chunks and not n*n/2.
  CREATE TABLE artifact_chunks (
    id INTEGER PRIMARY KEY,
    artifact INTEGER NOT NULL REFERENCES artifacts ON DELETE CASCADE,
    parts TEXT NOT NULL
  ) STRICT;
  CREATE INDEX artifact_chunks_by_artifact ON artifact_chunks (artifact, id);

  CREATE TABLE exchanges (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    context INTEGER REFERENCES contexts ON DELETE CASCADE,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX exchanges_by_context ON exchanges (context, id);

  CREATE TABLE frames (
    exchange INTEGER NOT NULL REFERENCES exchanges ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (exchange, seq)
  ) STRICT;

  CREATE TABLE owners (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    beat REAL NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE exchanges ADD COLUMN findings TEXT;  -- those of its reading, as in its body; NULL where there are none
  ALTER TABLE exchanges ADD COLUMN noted TEXT;     -- those that only showed when its events were put together
  UPDATE exchanges SET findings = json_extract(body, '$.findings') WHERE json_array_length(body, '$.findings') > 0;
  CREATE INDEX exchanges_with_findings ON exchanges (context, id) WHERE findings IS NOT NULL OR noted IS NOT NULL;
  `,
  historyAtSize,
  artifactVerdicts,
  packedRows,
  textsInFiles,
  partsInFrames,
  testRuns,
  `ALTER TABLE entries ADD COLUMN untimed INTEGER NOT NULL DEFAULT 0;  -- 1: nobody knows when it happened; \`at\` is of the order alone`,
  artifactRevisions,
  agentIdentities,
  longAnswers,
  taskSizes,
];

/** Brings a history to the newest schema, or to an older one on the way there. Throws a `Problem` if a newer version of this product wrote it. */
export function migrate(database: Database, to = migrations.length): void {
  const versionOf = database.prepare<{ user_version: number }>('PRAGMA user_version');
  const version = (): number => versionOf.get()?.user_version ?? 0;
  if (version() === to) return;
  database.write(() => {
    // Read again: another window may have migrated while this one waited for the lock.
    const from = version();
    if (from > migrations.length) {
      throw new Problem('history-newer', sentence('The task history was written by a newer version of A2A Workbench.'), {
        nextStep: sentence('Update A2A Workbench.'),
        details: `schema ${from}, known ${migrations.length}`,
      });
    }
    for (const step of migrations.slice(from, to)) database.exec(step);
    database.exec(`PRAGMA user_version = ${to}`);
  });
}
