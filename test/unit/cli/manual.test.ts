import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { manual } from '../../../src/cli/manual.ts';
import { exitStatus } from '../../../src/cli/terminal/usage.ts';
import { matcherNames } from '../../../src/request/expect/matcher.ts';
import { requestFileSchema } from '../../../src/request/schema/requestFileSchema.ts';

const path = fileURLToPath(new URL('../../../docs/request-files-reference.md', import.meta.url));

/** The names of all members that a schema knows of objects with one of these members. */
function membersBeside(schema: unknown, known: string): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const properties = (node as { readonly properties?: object }).properties;
    if (properties !== undefined && Object.hasOwn(properties, known)) for (const name of Object.keys(properties)) names.add(name);
    for (const child of Object.values(node)) walk(child);
  };
  walk(schema);
  return names;
}

suite('the manual of request files', () => {
  const text = manual();

  test('is what stands in docs', () => {
    if (process.env['A2A_WRITE'] !== undefined) return writeFileSync(path, text);
    assert.equal(readFileSync(path, 'utf8'), text, 'A2A_WRITE=1 npm test -- unit --grep manual writes it');
  });

  test('has each key that the schema has, with words', () => {
    const schema = requestFileSchema();
    const keys = [
      ...membersBeside(schema, 'repeat'),
      ...membersBeside(schema, 'requests'),
      ...membersBeside(schema, 'firstEventMs'),
      ...membersBeside(schema, 'contains'),
    ];
    for (const wanted of ['name', 'message', 'variables', 'expect', 'state', 'artifacts', 'matches'])
      assert.ok(keys.includes(wanted), wanted);
    const lines = text.split('\n');
    // Bodies that are sent as they are have these.
    const ofBodies = ['jsonrpc', 'id', 'taskId'];
    const missing = keys.filter(
      key => !ofBodies.includes(key) && !lines.some(line => line.startsWith(`- \`${key}\`: `) && line.length > key.length + 10),
    );
    assert.deepEqual(missing, []);
  });

  test('says something of each member', () => {
    assert.deepEqual(text.match(/^- `[^`]+`: ?$/gm) ?? [], []);
  });

  test('has each matcher, source of values and exit status', () => {
    for (const name of matcherNames) assert.match(text, new RegExp(`^- \`${name}\`: .{10}`, 'm'));
    assert.match(text, /^7\. `variables` of the request file$/m);
    for (const code of Object.values(exitStatus)) assert.match(text, new RegExp(`^- \`[^\`]*\\b${code}\\b[^\`]*\` .{5}`, 'm'));
  });
});
