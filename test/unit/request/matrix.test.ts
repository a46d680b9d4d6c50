import * as assert from 'node:assert/strict';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { english } from '../../../src/protocol/problem.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { agentsOf } from '../../../src/request/file/matrix.ts';
import type { RequestFile } from '../../../src/request/file/requestFile.ts';
import { writtenRows } from '../../../src/request/file/writtenRows.ts';
import { completions } from '../../../src/request/language/completions.ts';
import { problemsInContext } from '../../../src/request/language/contextProblems.ts';
import { hover } from '../../../src/request/language/hover.ts';
import { emptyLanguageContext } from '../../../src/request/language/languageContext.ts';
import { systemHost } from '../../../src/request/template/functions.ts';
import { FakeModel } from '../../support/request/fakeModel.ts';

const fileOf = (request: object, ...more: object[]): RequestFile =>
  readRequestFile(
    JSON.stringify({
      agent: 'F',
      interface: 'GRPC',
      variables: { which: 'V' },
      requests: [{ name: 'a', message: 'x', ...request }, ...more],
    }),
  );

/** What was sent, and the results. */
async function sent(file: RequestFile, key = 'a', rows?: ReadonlySet<number>) {
  const model = new FakeModel();
  const runs = new RequestRuns(model, error => assert.fail(String(error)));
  const entry = file.requests.find(one => one.key === key)!;
  const outcome = await runs.sendOnce(entry, file, { host: systemHost }, rows).done;
  return {
    outcome,
    labels: outcome.rows?.map(({ label }) => label),
    what: model.sent.map(({ agent, what, options }) => [agent, (options as { interface?: unknown } | undefined)?.interface, what]),
  };
}

const grpc = { protocolBinding: 'GRPC' };
const old = { protocolVersion: '0.3' };

suite('matrix', () => {
  test('sends to each agent over each interface with each row, in that order', async () => {
    const file = fileOf({
      matrix: { agent: ['A', 'B'], interface: ['0.3', { protocolBinding: 'GRPC' }] },
      each: [{ n: 1 }, { n: 2 }],
      message: 'n{{n}}',
    });
    assert.deepEqual(file.problems, []);
    const { what, labels } = await sent(file);
    assert.deepEqual(
      what,
      ['A', 'B'].flatMap(agent => [old, grpc].flatMap(one => ['n1', 'n2'].map(text => [agent, one, text]))),
    );
    assert.deepEqual(labels?.slice(0, 5), ['A · 0.3 · 1', 'A · 0.3 · 2', 'A · GRPC · 1', 'A · GRPC · 2', 'B · 0.3 · 1']);
    assert.deepEqual(
      writtenRows(file.requests[0]!)?.map(({ label, index }) => [label, index]),
      labels?.map((label, index) => [label, index]),
    );
  });

  test('of one kind alone, the other is that of the file; templates name agents', async () => {
    assert.deepEqual((await sent(fileOf({ matrix: { agent: ['A', '{{which}}'] } }))).what, [
      ['A', grpc, 'x'],
      ['V', grpc, 'x'],
    ]);
    assert.deepEqual((await sent(fileOf({ matrix: { interface: ['0.3', 'GRPC'] }, repeat: 2 }))).what, [
      ['F', old, 'x'],
      ['F', old, 'x'],
      ['F', grpc, 'x'],
      ['F', grpc, 'x'],
    ]);
    const { labels } = await sent(fileOf({ matrix: { interface: ['0.3', 'GRPC'] }, repeat: 2 }));
    assert.deepEqual(labels, ['0.3 #1', '0.3 #2', 'GRPC #1', 'GRPC #2']);
  });

  test('each is a result of its own, one of them can be sent alone, and one that fails keeps no other from being sent', async () => {
    const file = fileOf(
      { matrix: { agent: ['A', 'Dead', 'B'] }, expect: { state: 'completed' } },
      { name: 'b', message: '{{a[2].task.id}} {{a[0].task.id}}' },
    );
    assert.deepEqual(file.problems, []);
    const { outcome } = await sent(file);
    assert.deepEqual(
      outcome.rows?.map(({ outcome: { expectations } }) => expectations?.every(({ ok }) => ok)),
      [true, false, true],
    );
    assert.deepEqual(
      (
        await sent(
          fileOf({ matrix: { agent: ['A', 'C', 'B'] } }, file.requests[1]! && { name: 'b', message: '{{a[2].task.id}} {{a[0].task.id}}' }),
          'b',
        )
      ).what.at(-1),
      ['F', grpc, 't3 t1'],
    );
    assert.deepEqual((await sent(file, 'a', new Set([2]))).what, [['B', grpc, 'x']]);
  });

  test('is bounded', async () => {
    const agents = Array.from({ length: 40 }, (_, index) => `A${index}`);
    const file = fileOf({ matrix: { agent: agents, interface: Array.from({ length: 30 }, (_, index) => `1.${index}`) } });
    assert.equal(writtenRows(file.requests[0]!)?.length, 1_000);
    const { outcome, what } = await sent(file);
    assert.deepEqual([outcome.problem?.message, what], ['The request would be sent 1200 times, more than the limit of 1000.', []]);
  });

  const wrong: readonly (readonly [request: object, problem: string])[] = [
    [{ matrix: {} }, 'empty: "matrix" must not be empty.'],
    [{ matrix: { agent: [] } }, 'empty: "agent" must not be empty.'],
    [{ matrix: { agent: 'A' } }, 'wrong-type: "agent" must be a list, not text.'],
    [{ matrix: { agents: ['A'] } }, 'unknown-key: Unknown key "agents". Did you mean "agent"?'],
    [
      { matrix: { interface: ['1.0 0.3'] } },
      'bad-interface: "1.0 0.3" is not an interface. Write a binding, a version or both, such as "HTTP+JSON 1.0".',
    ],
    [{ matrix: { agent: ['A'] }, agent: 'B' }, 'not-used: "agent" under "matrix" overrides this one.'],
    [{ matrix: { agent: ['{{nothing}}'] } }, 'unknown-name: Unknown variable or request "nothing".'],
  ];
  for (const [request, problem] of wrong)
    test(problem, () => {
      const found = fileOf(request).problems.map(({ code, sentence }) => `${code}: ${english(sentence)}`);
      assert.deepEqual(found, [problem]);
    });

  test('a reference without the row has several answers', () => {
    const file = fileOf({ matrix: { agent: ['A', 'B'] } }, { name: 'b', message: '{{a.task.id}}' });
    assert.deepEqual(
      file.problems.map(({ code }) => code),
      ['several-answers'],
    );
    assert.deepEqual(fileOf({ matrix: { agent: ['A'] } }, { name: 'b', message: '{{a.task.id}}' }).problems, []);
  });

  test('its agents are known in the editor', () => {
    const text = JSON.stringify({ matrix: { agent: ['Ann', 'Bob', ''] }, message: 'x' });
    const file = readRequestFile(text);
    assert.deepEqual(
      agentsOf(file.requests[0]!).map(({ value }) => value),
      ['Ann', 'Bob'],
    );
    const world = { ...emptyLanguageContext, agents: [{ name: 'Ann', url: 'http://ann' }] };
    assert.deepEqual(
      problemsInContext(file, world)
        .filter(({ code }) => code === 'unknown-agent')
        .map(({ range }) => text.slice(range.offset, range.offset + range.length)),
      ['"Bob"'],
    );
    assert.deepEqual(
      completions(file, text.indexOf('""') + 1, world).map(({ label }) => label),
      ['Ann'],
    );
    assert.equal(english(hover(file, text.indexOf('Ann'), world)!.facts[0]!), 'Agent Ann at http://ann.');
  });
});
