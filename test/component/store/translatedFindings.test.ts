import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadRules } from '../../../src/conformance/rules/loadedRules.ts';
import { collect, type Finding, findingSentence } from '../../../src/protocol/finding.ts';
import { english, type LocalizedMessage, sentence } from '../../../src/protocol/problem.ts';
import { readAgentCard, readResult, versionOf } from '../../../src/protocol/versions/index.ts';
import type { TaskStore } from '../../../src/store/taskStore.ts';
import { findingLines } from '../../../src/workbench/documents/findingLines.ts';
import { at, exchangeOf, History, is, owner } from './support/history.ts';

const bundle = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../l10n/bundle.l10n.zh-cn.json'), 'utf8')) as Readonly<
  Record<string, string>
>;

function inChinese({ template, args }: LocalizedMessage): string {
  const chinese = bundle[template] ?? template;
  return english({ template: chinese, args: args.map(arg => (typeof arg === 'object' ? inChinese(arg) : arg)) });
}

suite('findings in another language', () => {
  suiteSetup(() => loadRules());

  let one: History;
  setup(() => {
    one = new History();
  });
  teardown(() => one.close());

  const read = (timestamp: string): readonly Finding[] => {
    const { findings, note } = collect();
    readResult('GetTask', { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING', timestamp } }, versionOf('1.0')!, note);
    return findings;
  };

  /** As a history of an earlier version has it. */
  const stored: Finding = { rule: 'DATA-01', pointer: '/taskId', message: 'taskId is missing, {0} and {length}.' };

  const keep = (findings: readonly Finding[]): string => {
    const key = one.context('Ann', 'c');
    one.store.record(key, [is('t', 'WORKING')], {
      at,
      owner,
      exchangeId: 'e',
      wire: { exchanges: [{ ...exchangeOf('e'), findings }], frames: new Map() },
    });
    return key;
  };
  const shown = (store: TaskStore, translate: typeof inChinese): readonly string[] =>
    store
      .contexts()
      .flatMap(({ key }) =>
        store.deviantExchanges(key).flatMap(({ findings }) => findingLines(findings, translate).map(({ message }) => message)),
      );
  const chinese = bundle['The timestamp {0} has no time zone; UTC is assumed.']!.replace(' {0} ', '“2026-01-02T03:04:05”');

  test('one with values is shown in Chinese after a restart and after an import, with its values as they were', async () => {
    keep(read('2026-01-02T03:04:05'));
    one.reopen();
    assert.deepEqual(shown(one.store, inChinese), [chinese]);
    assert.deepEqual(shown(one.store, english), ['The timestamp "2026-01-02T03:04:05" has no time zone; UTC is assumed.']);
    const lines = [...one.store.export.lines(undefined, { wire: true })].join('');
    const other = new History();
    await other.store.import.lines([new TextEncoder().encode(lines)], at + 5);
    assert.deepEqual(shown(other.store, inChinese), [chinese]);
    other.close();
  });

  test('one that was stored as an English sentence is shown as it is', () => {
    keep([stored]);
    one.reopen();
    assert.deepEqual(shown(one.store, inChinese), [stored.message]);
    // A text of an agent's is no template.
    assert.deepEqual(findingSentence(stored), sentence('{0}', stored.message));
  });

  test('an import takes English sentences, and none that cannot be shown', async () => {
    keep([stored]);
    const [line = ''] = one.store.export.lines(undefined, { wire: true });
    const outcomes: unknown[] = [];
    for (const bad of ['"sentence":{"template":1,"args":[]},', '"sentence":{"template":"{0}","args":[null]},', '']) {
      const other = new History();
      const { added, failed } = await other.store.import.lines(
        [new TextEncoder().encode(line.replace('"pointer"', `${bad}"pointer"`))],
        at + 5,
      );
      outcomes.push([added, failed, shown(other.store, inChinese)]);
      other.close();
    }
    assert.deepEqual(outcomes, [
      [0, 1, []],
      [0, 1, []],
      [1, 0, [stored.message]],
    ]);
  });

  test('every deviation of a card from its schema has values apart', () => {
    const { findings, note } = collect();
    const card = {
      name: 7,
      description: 'x',
      version: '1',
      supportedInterfaces: [{ url: 'http://a.example', protocolBinding: 'JSONRPC' }],
      capabilities: { streaming: 'yes' },
      defaultInputModes: [],
      defaultOutputModes: [],
    };
    readAgentCard(card, note, 'http://a.example');
    readAgentCard({ ...card, name: 'x', supportedInterfaces: [] }, note, 'http://a.example');
    const messages = findings.map(({ message }) => message);
    for (const words of [
      'name should be a string, not 7.',
      'protocolVersion is missing.',
      'streaming should be true or false, not "yes".',
      'Too small: expected array to have >=1 items',
    ])
      assert.ok(messages.includes(words), messages.join('\n'));
    assert.deepEqual(
      findings.filter(finding => bundle[findingSentence(finding).template] === undefined),
      [],
    );
  });
});
