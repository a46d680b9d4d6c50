import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { reporters } from '../../../src/cli/run/reporters/reporters.ts';

suite('reporters of a2a run', () => {
  test('each is in the help and on the page about CI', () => {
    for (const path of ['src/cli/terminal/options.ts', 'docs/ci.md']) {
      const text = readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');
      for (const name of Object.keys(reporters)) assert.match(text, new RegExp(`\\b${name}\\b`), `${path}: ${name}`);
    }
  });
});
