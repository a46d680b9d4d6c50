import * as assert from 'node:assert/strict';
import '../../support/shimmedVscode.ts';
import { bringsMore, type TaskConnection } from '../../../src/model/run/taskConnection.ts';
import type { ArtifactSummary } from '../../../src/store/rows/artifactRows.ts';

const { arrivalText, connectionText } = await import('../../../src/workbench/agentsView/agentTreeItems.ts');

suite('an artifact in the tree', () => {
  const since = 1_000_000;
  const rows: readonly (readonly [name: string, connection: TaskConnection | undefined, complete: boolean, words: string | undefined])[] = [
    ['of a task that is listened to', { kind: 'open', since }, false, 'still arriving…'],
    ['of a task that is silent', { kind: 'quiet', since }, false, 'still arriving…'],
    ['of a task that another window listens to', { kind: 'elsewhere' }, false, 'still arriving…'],
    ['of a task whose connection is lost', { kind: 'lost', since, attempt: 2, reason: { template: 'x', args: [] } }, false, 'cut off'],
    ['of a task that nobody listens to', { kind: 'none' }, false, 'cut off'],
    ['of a task that is over or lost', undefined, false, 'cut off'],
    ['that is complete', { kind: 'lost', since, attempt: 2, reason: { template: 'x', args: [] } }, true, undefined],
  ];
  for (const [name, connection, complete, words] of rows) {
    test(name, () => {
      const summary: ArtifactSummary = { seq: 1, artifact: { artifactId: 'a' }, complete, chunks: 1 };
      assert.equal(arrivalText({ summary, isArriving: bringsMore(connection) }), words);
    });
  }

  test('a task that has told more than is kept says so, as one whose connection is lost does', () => {
    assert.deepEqual(
      [undefined, { kind: 'none' }, { kind: 'full' }].map(connection => connectionText(connection as Parameters<typeof connectionText>[0])),
      ['', '', 'size limit exceeded, no longer followed'],
    );
  });
});
