import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { spec } from '../../../src/cli/run/reporters/spec.ts';
import { reporters } from '../../../src/cli/run/reporters/reporters.ts';

suite('reporters of a2a run', () => {
  test('each is in the help and on the page about CI', () => {
    for (const path of ['src/cli/terminal/options.ts', 'docs/ci.md']) {
      const text = readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');
      for (const name of Object.keys(reporters)) assert.match(text, new RegExp(`\\b${name}\\b`), `${path}: ${name}`);
    }
  });

  test('a text that is not as expected stands in the report once', () => {
    const lines: string[] = [];
    const failure = { kind: 'text', message: 'The text is another.', line: 1, column: 1, expected: 'Ten', actual: 'Nine knots' };
    const one = {
      file: 'x.a2a',
      name: 'one',
      line: 1,
      column: 1,
      verdict: 'failed',
      ms: 1,
      agentFailed: false,
      text: 'Nine knots',
    } as const;
    const { result } = spec(line => void lines.push(line), { verbose: false } as never);
    result?.({ ...one, failures: [failure] });
    assert.equal(lines.join('\n').match(/Nine knots/g)?.length, 1, lines.join('\n'));
    result?.({ ...one, failures: [{ ...failure, actual: 'canceled' }] });
    assert.equal(lines.join('\n').match(/Nine knots/g)?.length, 2, lines.join('\n'));
  });
});
