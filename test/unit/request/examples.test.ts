import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { schemaProblems } from '../../../src/request/check/schemaProblems.ts';
import { jsonSchemas } from '../../../src/request/schema/schemas.ts';
import { jsoncTree } from '../../../src/request/text/syntaxErrors.ts';
import { findings } from '../../support/request/jsonService.ts';

const workspace = resolve(import.meta.dirname, '../../../examples/workspace');

/** The files a newcomer sees first. */
suite('example request files and cards', () => {
  for (const path of globSync('**/*.a2a', { cwd: workspace }).sort()) {
    test(path, async () => {
      const text = readFileSync(resolve(workspace, path), 'utf8');
      const { requests, problems, syntaxErrors } = readRequestFile(text);
      assert.deepEqual([...problems, ...syntaxErrors], []);
      assert.deepEqual(await findings('a2a.schema.json', text), []);
      assert.ok(requests.length > 0);
    });
  }

  for (const path of globSync('**/*agent-card.json', { cwd: workspace }).sort()) {
    test(basename(path), async () => {
      const { root } = jsoncTree(readFileSync(resolve(workspace, path), 'utf8'));
      assert.deepEqual(schemaProblems(root!, jsonSchemas()['agent-card.schema.json'].if!), []);
    });
  }

  test('there are some', () => assert.ok(globSync('**/*.a2a', { cwd: workspace }).length > 0));
});
