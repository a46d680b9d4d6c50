import * as assert from 'node:assert/strict';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { eventually } from '../../support/eventually.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { RequestLenses } = await import('../../../src/workbench/requests/requestLenses.ts');

const text = '{ "requests": [{ "name": "one", "message": "x" }, { "name": "two", "message": "y" }] }';
const document = {
  uri: { scheme: 'file', toString: () => 'file:///checks.a2a' }, languageId: 'a2a', getText: () => text, positionAt: () => ({ line: 0, character: 0 }),
} as never;
const never = (): { dispose(): void } => ({ dispose: () => {} });

suite('RequestLenses', () => {
  test('asks VS Code to ask anew where it resolves lenses of an earlier answer: it keeps what they say', async () => {
    const restore = inPlaceOf('workspace', { textDocuments: [], fs: { isWritableFileSystem: () => true } });
    const lenses = new RequestLenses({
      sessions: { onDidChange: never, peek: () => undefined }, agents: { get: () => undefined, find: () => undefined },
      worlds: { onDidChange: never, fileOf: () => readRequestFile(text) }, environments: { of: () => ({ names: [] }) },
    } as never);
    try {
      let asked = 0;
      lenses.onDidChangeCodeLenses(() => { asked += 1; });
      const earlier = lenses.provideCodeLenses(document);
      const later = lenses.provideCodeLenses(document);
      for (const lens of later) assert.equal(lenses.resolveCodeLens(lens), lens);
      assert.equal(asked, 0);
      for (const lens of earlier) lenses.resolveCodeLens(lens);
      await eventually(() => assert.ok(asked > 0));
      assert.match(JSON.stringify(earlier), /Send Request/);
    } finally {
      lenses.dispose();
      restore();
    }
  });
});
