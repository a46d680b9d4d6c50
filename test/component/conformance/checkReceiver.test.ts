import * as assert from 'node:assert/strict';
import type { CheckReport, CheckResult } from '../../../src/conformance/checkReport.ts';
import { CheckReceiver } from '../../../src/conformance/checkReceiver.ts';
import type { OpenWebhook, TakenNotification } from '../../../src/conformance/checkWebhook.ts';
import { checkRemarks } from '../../../src/conformance/reports/checkWords.ts';
import { PushReceiver } from '../../../src/model/notifications/pushReceiver.ts';
import { english } from '../../../src/protocol/problem.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import { checkRun } from '../../support/conformance/checkRun.ts';
import { conformingAgent, prompts } from '../../support/conformance/agent/conformingAgent.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { atOtherHost } from '../../support/otherHost.ts';
import { otherwise } from '../../support/conformance/probeDecoy.ts';
import { startSampleAgents } from '../../support/sampleAgents.ts';

const notified: readonly RuleId[] = ['PUSH-05', 'PUSH-06', 'PUSH-07'];

suite('conformance rules at the receiver of push notifications', () => {
  const open = new OpenThings();
  let receiver: PushReceiver;
  let errors: unknown[];
  setup(() => {
    errors = [];
    receiver = new PushReceiver({ onError: error => errors.push(error) });
  });
  teardown(async () => {
    receiver.dispose();
    await open.close();
    assert.deepEqual(errors, []);
  });

  /** What the editor gives to checks. @param address where agents elsewhere are told to send */
  const webhooks =
    (address?: (port: number) => string): OpenWebhook =>
    ({ isNear, ...wanted }) =>
      receiver.lend({
        protocolVersion: wanted.protocolVersion,
        onEnd: wanted.onEnd,
        onDelivery: wanted.onNotification,
        ...(!isNear && { origin: async port => address?.(port) ?? `http://127.0.0.1:${port}` }),
      });

  const check = (url: string, openWebhook: OpenWebhook, headers: Record<string, string> = {}): Promise<CheckReport> =>
    checkRun(
      url,
      open.http(),
      {
        openWebhook,
        allowWork: true,
        ...(Object.keys(headers).length > 0 && { prompts }),
        rules: new Set(notified),
        wants: entry => entry.protocolVersion === '1.0',
      },
      headers,
    );
  const told = ({ results }: CheckReport): string[] => results.map(({ rule, verdict, why }) => `${rule} ${verdict}: ${english(why)}`);

  /** An agent that keeps the rules, at a host that is none of this machine's usual names. */
  async function elsewhere(): Promise<string> {
    const agent = await conformingAgent({
      version: '1.0',
      binding: 'JSONRPC',
      kind: 'full',
      // Its server refuses webhooks without TLS that are elsewhere; the address is taken for one that is forwarded.
      script: otherwise('SendMessage', (request, does) =>
        does({ ...request, params: JSON.parse(JSON.stringify(request.params).replaceAll('[::ffff:7f00:1]', '127.0.0.1')) as never }),
      ),
      card: (card, { url }) => JSON.parse(JSON.stringify(card).replaceAll(url, atOtherHost(url))) as Record<string, unknown>,
    });
    stops.push(agent.stop);
    return atOtherHost(agent.url);
  }
  const stops: (() => Promise<void>)[] = [];
  teardown(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  const credentials = { Authorization: 'Bearer right' };

  test('a server of the SDK notifies it: rules rest on what came, and the receiver is off again', async () => {
    const samples = await startSampleAgents({ pace: 0 });
    stops.push(() => samples.stop());
    const ports: number[] = [];
    receiver.onDidChange(() => ports.push(receiver.port));
    const report = await check(samples.urls.Sailboat, webhooks());
    assert.deepEqual(
      report.results.map(({ rule, verdict }) => [rule, verdict]),
      notified.map(rule => [rule, 'pass']),
      told(report).join('\n'),
    );
    const deliveryOf = ({ exchangeId }: CheckResult) => report.exchanges.find(({ exchange }) => exchange.id === exchangeId)?.exchange;
    for (const result of report.results) {
      const delivery = deliveryOf(result)!;
      assert.deepEqual([delivery.operation, delivery.response?.status], ['PushNotification', 200]);
      assert.match(delivery.request.body, /"(task|statusUpdate|artifactUpdate)"/);
      // The credentials of the configuration came, and are in no report.
      assert.equal(delivery.request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1], 'Bearer ••••••');
      assert.match(delivery.request.url, /^http:\/\/127\.0\.0\.1:\d+\/.{8}…$/);
    }
    const [port = 0] = ports.filter(each => each !== 0);
    assert.equal(report.receivedAt, `http://127.0.0.1:${port}`);
    assert.match(checkRemarks(report).map(english).join(), /was given http:\/\/127\.0\.0\.1:\d+ as the address/);
    assert.equal(receiver.port, 0);
    assert.deepEqual([receiver.count, receiver.deliveries.length, new Set(ports.filter(each => each !== 0)).size], [0, 0, 1]);
  });

  test('what an agent floods it with is kept to a bound, over all webhooks of a run', async () => {
    const taking: ((notification: TakenNotification) => void)[] = [];
    let kept = 0;
    const own = new CheckReceiver({
      open: async ({ onNotification }) => {
        taking.push(onNotification);
        return { url: `http://127.0.0.1:1/${'p'.repeat(40)}`, close: async () => {} };
      },
      http: open.http(),
      signal: new AbortController().signal,
      log: { exchange: () => kept++ },
    });
    const entry = { url: 'http://127.0.0.1:2/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    for (let index = 0; index < 3; index++) assert.ok('url' in (await own.webhook(entry)));
    const body = Buffer.from(`{"task":[${'{},'.repeat(300_000)}{}]}`);
    for (let index = 0; index < 60; index++) taking[index % 3]!({ at: 0, headers: [], body, status: 200 });
    assert.equal(kept, Math.floor((16 * 1024 * 1024) / body.byteLength));
    for (let index = 0; index < 300; index++) taking[0]!({ at: 0, headers: [], body: Buffer.from('{}'), status: 200 });
    assert.ok(kept <= 220, String(kept));
    await own.close();
  });

  test('a receiver that was on stays on', async () => {
    const agent = await conformingAgent({ version: '1.0', binding: 'JSONRPC', kind: 'full' });
    stops.push(agent.stop);
    const mine = await receiver.lend({ onDelivery: () => assert.fail('a delivery of the check'), onEnd: () => {} });
    const { port } = receiver;
    const report = await check(agent.url, webhooks(), credentials);
    assert.deepEqual(new Set(report.results.map(({ verdict }) => verdict)), new Set(['pass']), told(report).join('\n'));
    assert.equal(receiver.port, port);
    await mine.close();
    assert.equal(receiver.port, 0);
  });

  test('an agent on another machine that cannot reach it makes no rule fail, and it is said what to do', async () => {
    const url = await elsewhere();
    const near = await check(url, webhooks(), credentials);
    assert.deepEqual(
      near.results.map(({ rule, verdict }) => [rule, verdict]),
      notified.map(rule => [rule, 'not-testable']),
      told(near).join('\n'),
    );
    assert.match(told(near)[0]!, /on another machine, .*ffff.* cannot reach .* at 127\.0\.0\.1:\d+\. Check it from a remote window/);
    // A forwarded port that wants a sign-in answers by itself.
    const other = await open.agent({}, '1.0');
    const closed = await check(
      url,
      webhooks(() => atOtherHost(other.url)),
      credentials,
    );
    assert.deepEqual(new Set(closed.results.map(({ verdict }) => verdict)), new Set(['not-testable']), told(closed).join('\n'));
    assert.match(told(closed)[0]!, /does not reach the push notification receiver\. Make the forwarded port public/);
    assert.equal(receiver.port, 0);
  });

  test('an agent on another machine is given the forwarded address, once that has been tried', async () => {
    const report = await check(
      await elsewhere(),
      webhooks(port => atOtherHost(`http://127.0.0.1:${port}/`)),
      credentials,
    );
    assert.deepEqual(new Set(report.results.map(({ verdict }) => verdict)), new Set(['pass']), told(report).join('\n'));
    assert.match(report.receivedAt ?? '', /ffff/);
    // What was sent to try it is no notification of the agent.
    assert.ok(report.exchanges.every(({ exchange }) => !exchange.request.body.includes('"reached"')));
  });

  test('a receiver that is stopped during the check decides nothing about the agent', async () => {
    const agent = await conformingAgent({ version: '1.0', binding: 'JSONRPC', kind: 'full' });
    stops.push(agent.stop);
    const report = await check(
      agent.url,
      async wanted => {
        const webhook = await webhooks()(wanted);
        await receiver.stop();
        return webhook;
      },
      credentials,
    );
    assert.deepEqual(new Set(report.results.map(({ verdict }) => verdict)), new Set(['inconclusive']), told(report).join('\n'));
    assert.match(told(report)[0]!, /push notification receiver was stopped/);
  });
});
