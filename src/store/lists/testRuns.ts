/**
 * The schema's step that marks contexts which a test created: they are listed separately, never count as waiting, and are deleted after a time
 * of their own. A task has the mark of its context.
 */
export const testRuns = `
  ALTER TABLE contexts ADD COLUMN test_run INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tasks ADD COLUMN test_run INTEGER NOT NULL DEFAULT 0;

  DROP INDEX contexts_by_agent;
  CREATE INDEX contexts_by_agent ON contexts (agent, pinned, updated, id, test_run) WHERE title IS NOT NULL AND deleted IS NULL;
  DROP INDEX tasks_by_agent;
  CREATE INDEX tasks_by_agent ON tasks (agent, state, pinned, updated, id, test_run) WHERE deleted IS NULL;
`;
