import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { english, hint, inTerminal, sentence } from '../../../src/protocol/problem.ts';
import { stringLiteral, textOfLiteral } from '../../../scripts/translations.ts';

const root = resolve(import.meta.dirname, '../../..');

/** What there is in the editor alone. */
const ofEditor =
  /\bexchange\b|agent's (?:settings?|headers)|setting a2a\.|Refresh |Choose Extensions|Allow Address|The log has|A2A: |in a terminal|VS Code/;

interface Said {
  readonly file: string;
  readonly text: string;
  /** What is said in a terminal instead. */
  readonly terminal?: string;
}

const saidSentence = new RegExp(String.raw`(hint\(\s*)?\bsentence\(\s*${stringLiteral}`, 'g');
const inTerminalOnly = new RegExp(String.raw`,\s*${stringLiteral},?\s*\)`);

/** Every sentence of the boxes that a terminal has. */
const said: readonly Said[] = ['client', 'model', 'request', 'protocol'].flatMap(box =>
  globSync(`src/${box}/**/*.ts`, { cwd: root }).flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8');
    const found = [...text.matchAll(saidSentence)];
    return found.map(
      (match): Said => ({
        file,
        text: textOfLiteral(match[2]!),
        ...(match[1] !== undefined && {
          terminal: textOfLiteral(inTerminalOnly.exec(text.slice(match.index + match[0].length))?.[1] ?? "''"),
        }),
      }),
    );
  }),
);

/** Not told in a terminal: what is read of a finding, forms, imports, and workspaces that are not trusted. */
const elsewhere = /^src\/(?:protocol\/(?:rules\/|approval)|request\/import\/|client\/(?:remoteFile|doctor\/|grpc\/grpcExchange))/;

suite('hints', () => {
  test('a hint says in a terminal what there is in a terminal', () => {
    const step = hint(sentence('Open {0}.', 'x'), 'Type {0}.');
    const whole = sentence('{0} {1}', 'Failed.', step);
    assert.deepEqual(
      [english(step), inTerminal(step), english(whole), inTerminal(whole)],
      ['Open x.', 'Type x.', 'Failed. Open x.', 'Failed. Type x.'],
    );
    assert.equal(inTerminal(sentence('Failed.')), 'Failed.');
  });

  test('no sentence that a terminal says names what the editor alone has', () => {
    assert.ok(said.length > 300, String(said.length));
    assert.ok(said.filter(({ terminal }) => terminal !== undefined).length > 20);
    const wrong = said.filter(({ file, text, terminal }) => !elsewhere.test(file) && ofEditor.test(terminal ?? text));
    assert.deepEqual(
      wrong.map(({ file, text, terminal }) => `${file}: ${terminal ?? text}`),
      [],
    );
    assert.deepEqual(
      said.filter(({ terminal }) => terminal === '').map(({ text }) => text),
      [],
      'hints that are not read',
    );
  });
});
