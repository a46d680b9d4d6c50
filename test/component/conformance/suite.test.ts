import * as assert from 'node:assert/strict';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { checkAgent, type RuleVerdict, type SuiteOptions, type SuiteProgress } from '../../../src/conformance/suite.ts';
import { english } from '../../../src/protocol/problem.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import { rules } from '../../../src/conformance/rules/index.ts';
import { askedRules } from '../../../src/conformance/rules/askedRules.ts';
import { holdsFor } from '../../../src/conformance/rules/rule/rule.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';
import { conformingAgent, prompts, type ConformingOptions } from '../../support/conformance/agent/conformingAgent.ts';
import { answering, changed, refusing } from '../../support/conformance/probeDecoy.ts';

suite('checking an agent by asking it', () => {
  const open = new OpenThings();
  const stops: (() => Promise<void>)[] = [];
  teardown(async () => {
    for (const stop of stops.splice(0)) await stop();
    await open.close();
  });

  async function begun(more: Partial<ConformingOptions> = {}) {
    const agent = await conformingAgent({ version: '1.0', binding: 'JSONRPC', kind: 'bare', ...more });
    let isStopped = false;
    const stop = async (): Promise<void> => {
      if (!isStopped) await agent.stop();
      isStopped = true;
    };
    stops.push(stop);
    const http = open.http();
    const { card, cardUrl, source } = await resolveAgentCard(agent.url, { http });
    const cardJson = JSON.parse(source) as Record<string, unknown>;
    const options: SuiteOptions = { http, card, cardJson, cardUrl, prompts, allowWork: true };
    return { agent: { ...agent, stop }, options };
  }
  const held = askedRules.filter(id => holdsFor(rules[id], '1.0', 'JSONRPC'));

  test('every rule that holds has one verdict, with the exchange that it rests on and its clause', async () => {
    const { options } = await begun();
    const verdicts = await all(checkAgent(options));
    assert.deepEqual(
      verdicts.map(({ rule }) => rule),
      held,
    );
    for (const { rule, verdict, exchangeId, clause, section } of verdicts) {
      assert.ok(clause.includes('#') && section !== '', rule);
      if (verdict === 'pass') assert.ok(exchangeId !== undefined, rule);
    }
  });

  test('what starts work is left out unless that is allowed', async () => {
    const { options } = await begun();
    const log = new WireRecording();
    const verdicts = await all(checkAgent({ ...options, log, allowWork: false }));
    assert.equal(verdicts.find(({ rule }) => rule === 'CORE-12')?.verdict, 'not-testable');
    const sends = log.exchanges.filter(({ operation }) => operation === 'SendMessage');
    assert.deepEqual(
      sends.filter(({ response }) => response?.body?.includes('"result"') === true),
      [],
    );
  });

  test('the part of a rule that starts no work can break it where work is not allowed', async () => {
    for (const [rule, operation] of [
      ['CORE-15', 'CancelTask'],
      ['STRM-06', 'SubscribeToTask'],
    ] as const)
      for (const [script, verdict] of [
        [undefined, 'not-testable'],
        [refusing(operation, -32002), 'fail'],
      ] as const) {
        const { options } = await begun({ kind: 'full', script });
        const headers = { Authorization: 'Bearer right' };
        const [found] = await all(checkAgent({ ...options, headers, allowWork: false, rules: new Set<RuleId>([rule]) }));
        assert.deepEqual([found?.rule, found?.verdict], [rule, verdict]);
      }
  });

  test('what the card does not claim is not asked for', async () => {
    const { options } = await begun({
      card: card => ({ ...card, capabilities: { pushNotifications: true } }),
    });
    const verdicts = await all(checkAgent(options));
    for (const rule of ['STRM-02', 'PUSH-01']) assert.equal(verdicts.find(each => each.rule === rule)?.verdict, 'not-applicable', rule);
  });

  test('an exchange belongs to the interface that it goes over, also where a probe compares interfaces', async () => {
    const { options } = await begun({
      card: card => {
        const [own] = card['supportedInterfaces'] as readonly object[];
        return { ...card, supportedInterfaces: [own, { ...own, protocolBinding: 'HTTP+JSON' }] };
      },
    });
    const [first] = options.card.supportedInterfaces;
    const bindings: (readonly [went: string, passed: string])[] = [];
    const log: SuiteOptions['log'] = {
      exchange: ({ protocolBinding }, over) => bindings.push([protocolBinding, over.protocolBinding]),
      frames: () => {},
    };
    await all(
      checkAgent({
        ...options,
        log,
        rules: new Set<RuleId>(['EQ-01']),
        wants: ({ protocolBinding }) => protocolBinding === first?.protocolBinding,
      }),
    );
    assert.ok(new Set(bindings.map(([went]) => went)).size > 1, JSON.stringify(bindings));
    for (const [went, passed] of bindings) assert.equal(passed, went);
  });

  test('what exchanges show by the way is a verdict too, and what a probe found is not told twice', async () => {
    const { options } = await begun({
      script: answering('SendMessage', answer => ({
        task: { ...answer.task, status: { ...answer.task.status, state: 'TASK_STATE_WORKING', timestamp: 'yesterday' } },
      })),
    });
    const log = new WireRecording();
    const verdicts = await all(checkAgent({ ...options, log }));
    const waited = verdicts.filter(({ rule }) => rule === 'CORE-09');
    assert.deepEqual(
      waited.map(({ verdict }) => verdict),
      ['disputed'],
    );
    const exchange = log.exchanges.find(({ id }) => id === waited[0]?.exchangeId);
    assert.equal(exchange?.operation, 'SendMessage');
    assert.equal(waited[0]?.pointer, '/result/task/status/state');
    assert.equal(verdicts.find(({ rule }) => rule === 'DATA-04')?.verdict, 'fail');
  });

  test('several deviations of one answer are counted as one exchange', async () => {
    const { options } = await begun({
      before: right => async (request, pass) =>
        request.body.includes('NoSuchMethodOfA2A')
          ? { status: 422, headers: { 'content-type': 'application/json' }, body: '{"detail":"No"}' }
          : right(request, pass),
    });
    const verdicts = await all(checkAgent({ ...options, rules: new Set<RuleId>(['RPC-01', 'RPC-04']) }));
    assert.deepEqual(
      verdicts.filter(({ rule }) => rule === 'RPC-01').map(({ why }) => english(why)),
      ['jsonrpc should be "2.0", not undefined.'],
    );
  });

  test('an agent that goes away in mid-suite fails nothing', async () => {
    let count = 0;
    const going: { stop?: () => Promise<void> } = {};
    const begin = await begun({
      script: changed('GetTask', step => {
        if (++count === 3) void going.stop?.();
        return step;
      }),
    });
    going.stop = begin.agent.stop;
    const verdicts = await all(checkAgent(begin.options));
    const states = verdicts.map(({ verdict }) => verdict);
    assert.ok(states.includes('pass') && states.includes('inconclusive'), states.join(' '));
    assert.deepEqual(
      verdicts.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn'),
      [],
    );
    assert.equal(states.at(-1), 'inconclusive');
    assert.equal(verdicts.length, held.length);
  });

  test('it stops when it is told to, and tells how far it is', async () => {
    const { options } = await begun();
    const stop = new AbortController();
    const progress: SuiteProgress[] = [];
    const verdicts: RuleVerdict[] = [];
    for await (const verdict of checkAgent({ ...options, signal: stop.signal, onProgress: each => progress.push(each) })) {
      verdicts.push(verdict);
      if (verdicts.length === 2) stop.abort();
    }
    assert.equal(verdicts.length, 2);
    assert.deepEqual(
      progress.map(({ done }) => done),
      [0, 1],
    );
    assert.equal(progress[0]!.total, held.length);
  });

  test('it ends with the first failure where that is asked for, and asks only about the rules that are wanted', async () => {
    const { options } = await begun({
      script: changed('GetTask', step => ('error' in step ? { error: { code: -32004, message: 'No' } } : step)),
    });
    const bailed = await all(checkAgent({ ...options, bail: true }));
    assert.deepEqual(
      bailed.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule),
      ['CORE-11'],
    );
    assert.equal(bailed.at(-1)?.verdict, 'fail');
    const some = await all(checkAgent({ ...options, rules: new Set<RuleId>(['RPC-04']) }));
    assert.deepEqual(
      some.map(({ rule, verdict }) => [rule, verdict]),
      [['RPC-04', 'pass']],
    );
  });

  test('rules that are only seen by the way are seen also where they alone are wanted', async () => {
    const { options } = await begun({
      script: answering('SendMessage', ({ task }) => ({ task: { ...task, status: { ...task.status, timestamp: 'yesterday' } } })),
    });
    const rules = new Set<RuleId>(['DATA-04']);
    const seen = async (allowWork: boolean): Promise<string[]> =>
      (await all(checkAgent({ ...options, rules, allowWork }))).map(({ rule, verdict }) => `${rule} ${verdict}`);
    assert.deepEqual(await seen(false), []);
    assert.deepEqual(await seen(true), ['DATA-04 fail']);
  });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const item of items) got.push(item);
  return got;
}
