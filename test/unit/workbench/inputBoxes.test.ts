import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

suite('input boxes', () => {
  test('keep what is typed when the focus goes elsewhere, such as to a chat that is drawn meanwhile', () => {
    const boxes = globSync('src/workbench/**/*.ts', { cwd: root }).flatMap(file =>
      readFileSync(resolve(root, file), 'utf8')
        .split(/\bshowInputBox\(/)
        .slice(1)
        .map(options => ({ file, options: options.slice(0, options.search(/^ *\}\)/m)) })),
    );
    assert.ok(boxes.length >= 8, String(boxes.length));
    for (const file of globSync('src/workbench/**/*.ts', { cwd: root })) {
      const [, ...after] = readFileSync(resolve(root, file), 'utf8').split(/\bcreateInputBox\(/);
      for (const rest of after) assert.match(rest, /^\)[^}]*\.ignoreFocusOut = true;/, file);
    }
    assert.deepEqual(
      boxes.filter(({ options }) => !options.includes('ignoreFocusOut: true')).map(({ file }) => file),
      [],
    );
  });
});
