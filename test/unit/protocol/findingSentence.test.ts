import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findingSentence } from '../../../src/protocol/findingSentence.ts';
import { english } from '../../../src/protocol/problem.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';

const root = resolve(import.meta.dirname, '../../..');

/** What the sources say of deviations, with `x` for everything they quote. */
const said = globSync('src/{protocol,client,model}/**/*.ts', { cwd: root }).flatMap(path => {
  const source = readFileSync(resolve(root, path), 'utf8');
  const calls = [
    ...source.matchAll(/(?:\bnote|#finding|#reject)\((?:\s*[^,;]+,)([^;]*?)\)(?:;|\)|,$)/gm),
    ...source.matchAll(/\brule: '[A-Z]+-\d+', pointer: '',\s*message: ([^\n]*)/g),
  ];
  return calls
    .flatMap(([, words = '']) => [...words.matchAll(/`((?:\$\{(?:[^{}]|\{[^}]*\})*\}|[^`])*)`|'((?:[^'\\]|\\.)*)'/g)])
    .map(([, template, text]) => (template?.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, 'x') ?? text ?? '').replaceAll("\\'", "'"))
    .filter(words => /[ ].*[ ]/.test(words))
    .map(words => [path, words] as const);
});

suite('words of findings', () => {
  test('every one that the sources say is a sentence that can be translated', () => {
    assert.ok(said.length > 40, String(said.length));
    assert.deepEqual(
      said.filter(([, words]) => findingSentence(words).template === '{0}'),
      [],
    );
  });

  test('in English they are what they were', () => {
    for (const [, words] of said) assert.equal(english(findingSentence(words)), words);
    for (const words of ['', 'Nothing we know.', 'a\nb is missing.', '{0} is missing.', '"x is not a task state." is not a task state.'])
      assert.equal(english(findingSentence(words)), words);
  });

  test('what a card lacks is said in them too', () => {
    const messages: string[] = [];
    const card = {
      name: 7,
      description: 'x',
      version: '1',
      supportedInterfaces: [{ url: 'http://a.example', protocolBinding: 'JSONRPC' }],
      capabilities: { streaming: 'yes' },
      defaultInputModes: [],
      defaultOutputModes: [],
    };
    readAgentCard(card, (_rule, _pointer, message) => messages.push(message), 'http://a.example');
    assert.ok(messages.length > 2, messages.join('\n'));
    assert.deepEqual(
      messages.filter(message => findingSentence(message).template === '{0}' || /Invalid|received/.test(message)),
      [],
    );
    assert.ok(messages.includes('name should be a string, not 7.'), messages.join('\n'));
    assert.ok(messages.includes('protocolVersion is missing.'), messages.join('\n'));
  });

  test('long words that somebody else has written are not taken apart: that would take time with their square', () => {
    for (const words of ['" should be "'.repeat(2_000_000), `x should be y, not ${'z'.repeat(10_000)}.`]) {
      assert.deepEqual(findingSentence(words), { template: '{0}', args: [words] });
    }
    assert.equal(findingSentence(`x should be y, not ${'z'.repeat(1_000)}.`).template, '{0} should be {1}, not {2}.');
  });
});
