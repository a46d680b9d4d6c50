import * as assert from 'node:assert/strict';
import { specReport } from '../../../src/cli/check/specReport.ts';
import { checkBounds, type CheckBounds } from '../../../src/conformance/checkLimit.ts';
import type { CheckReport } from '../../../src/conformance/checkReport.ts';
import { outcomeOf } from '../../../src/conformance/checkSummary.ts';
import { ExchangeRecorder } from '../../../src/conformance/exchangeRecorder.ts';
import { badgeText } from '../../../src/conformance/reports/checkBadge.ts';
import { checkRemarks } from '../../../src/conformance/reports/checkWords.ts';
import { htmlReport } from '../../../src/conformance/reports/html.ts';
import { checkLines } from '../../../src/conformance/reports/jsonLines.ts';
import { junitReport } from '../../../src/conformance/reports/junit.ts';
import { markdownReport } from '../../../src/conformance/reports/markdown.ts';
import type { CheckOptions } from '../../../src/conformance/runCheck.ts';
import { registeredBy, workingRules } from '../../../src/conformance/workPrompts.ts';
import type { Script } from '../../../src/mock/script.ts';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { AgentCard } from '../../../src/protocol/card/agentCard.ts';
import { english, inTerminal } from '../../../src/protocol/problem.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { task } from '../../support/client/says.ts';
import { conformingAgent, prompts, type CheckedBinding } from '../../support/conformance/agent/conformingAgent.ts';
import { frontOf } from '../../support/conformance/agent/front.ts';
import { checkRun } from '../../support/conformance/checkRun.ts';

const notFound = [{ error: { code: -32001, message: 'Task not found' } }] as const;
const script: Script = {
  GetTask: notFound,
  SendMessage: [{ answer: { task: task('TASK_STATE_COMPLETED') } }],
  SubscribeToTask: [{ error: { code: -32004, message: 'This agent does not stream' } }],
};
const unbounded: CheckBounds = { requests: Number.MAX_SAFE_INTEGER, ms: 2 ** 31 - 1 };

suite('bounds of a check', () => {
  const open = new OpenThings();
  const stops: (() => Promise<unknown>)[] = [];
  teardown(async () => {
    for (const stop of stops.splice(0)) await stop();
    await open.close();
  });

  const card = (url: string, count: number, more: object = {}): Record<string, unknown> => ({
    name: 'Checked agent',
    description: 'Is checked.',
    version: '1.0.0',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 's', name: 'S', description: 'S.', tags: ['s'] }],
    supportedInterfaces: Array.from({ length: count }, (_, index) => ({
      url: `${url}?${index}`,
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
    })),
    ...more,
  });
  const agentWith = (own: Script, count = 1, more?: object): Promise<ScriptedAgent> =>
    open.agent({ ...script, ...own }, '1.0', { binding: 'JSONRPC', card: url => card(url, count, more) });
  const checked = (url: string, more: Partial<CheckOptions> = {}): Promise<CheckReport> => checkRun(url, open.http(), more);

  test('a run ends with the last request that it may send, and every report says why', async () => {
    const agent = await agentWith({}, 3);
    const whole = await checked(agent.url, { bounds: unbounded });
    const all = agent.requests.length;
    assert.ok(all > 50, String(all));
    const report = await checked(agent.url, { bounds: { ...unbounded, requests: 40 } });
    // The card was fetched before.
    assert.equal(agent.requests.length - all - 1, 40);
    assert.deepEqual([whole.end, report.end, report.isGone], ['complete', 'requests', undefined]);
    const verdicts = report.results.length + (report.unchecked ?? 0);
    assert.ok(verdicts > report.results.length && verdicts <= whole.results.length);
    const [why] = checkRemarks(report).map(inTerminal);
    assert.equal(
      why,
      `The check stopped at the limit of 2000 requests: ${report.unchecked} of ${verdicts} verdicts are missing. Check less at a time, with --rules or --interface.`,
    );
    for (const text of [specReport(report, { verbose: false }), htmlReport(report, inTerminal)]) assert.ok(text.includes(why), text);
    assert.match(markdownReport(report, english), /The check stopped at the limit of 2000 requests/);
    assert.deepEqual(checkLines(report).at(-1), { end: 'requests', why });
    const junit = junitReport(report);
    assert.ok(
      junit.includes(`<testcase name="The check is complete" classname="a2a check Checked agent"><error message="${why}"/>`),
      junit,
    );
    assert.match(junit, new RegExp(`<testsuites [^>]*tests="${report.results.length + 1}" failures="\\d+" errors="1"`));
    assert.match(badgeText({ ...report, results: [] }).text, /\(incomplete\)$/);
    // Where a rule is broken by then, that counts.
    assert.equal(outcomeOf({ ...report, results: report.results.filter(({ verdict }) => verdict !== 'fail') }), 'nothing');
    assert.equal(checkLines(whole).length, whole.results.length);
    assert.doesNotMatch(junitReport(whole), /errors="1"/);
  });

  for (const binding of ['HTTP+JSON', 'GRPC'] as const satisfies readonly CheckedBinding[])
    test(`requests of work and streams count over ${binding}, too`, async () => {
      const agent = await conformingAgent({ version: '1.0', binding, kind: 'bare' });
      stops.push(() => agent.stop());
      const recorder = new ExchangeRecorder();
      const report = await checked(agent.url, {
        allowWork: true,
        prompts,
        bounds: { ...unbounded, requests: 30 },
        recorder,
      });
      assert.equal(report.end, 'requests');
      assert.ok((report.unchecked ?? 0) > 0);
      // The last one was not sent any more.
      const { failure } = recorder.all.at(-1)!;
      assert.deepEqual([recorder.all.length, failure], [31, 'The request was canceled.']);
    });

  test('each hop of a redirect counts', async () => {
    let came = 0;
    const front = await frontOf(
      () => agent.url,
      async (request, pass) => {
        if (request.method === 'GET') return pass();
        came++;
        return request.url.startsWith('/moved')
          ? pass({ url: request.url.slice('/moved'.length) })
          : { status: 307, headers: { location: `/moved${request.url}` }, body: '' };
      },
    );
    stops.push(() => front.stop());
    const agent = await open.agent(script, '1.0', { binding: 'JSONRPC', card: () => card(front.url, 1) });
    const report = await checked(front.url, { bounds: { ...unbounded, requests: 20 } });
    assert.equal(report.end, 'requests');
    assert.ok(came > 10 && came <= 20, String(came));
  });

  for (const rule of ['EQ-01', 'EQ-02'] as const)
    test(`interfaces are compared with so many others alone, however many there are: ${rule}`, async () => {
      const secured = {
        securitySchemes: { key: { apiKeySecurityScheme: { name: 'X-Key', location: 'header' } } },
        securityRequirements: [{ schemes: { key: { list: [] } } }],
      };
      const asked = async (count: number): Promise<number> => {
        const agent = await agentWith({}, count, secured);
        const report = await checked(agent.url, { rules: new Set<RuleId>([rule]), bounds: unbounded });
        assert.ok(report.results.length > 0 && report.results.every(({ verdict }) => verdict !== 'not-applicable'));
        return agent.requests.length;
      };
      assert.equal(await asked(60), await asked(30));
    });

  test('a card of a thousand interfaces is checked within the bounds', async () => {
    const agent = await agentWith({}, 1_000);
    const report = await checked(agent.url);
    assert.equal(report.end, 'complete');
    assert.ok(agent.requests.length <= checkBounds.requests, String(agent.requests.length));
  });

  const waits: readonly (readonly [what: string, own: Script, rule: RuleId, more?: object])[] = [
    ['an answer', { GetTask: [{ stall: true }] }, 'CORE-11'],
    ['the end of a stream', { SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { stall: true }] }, 'STRM-02'],
    ['work', { SendMessage: [{ stall: true }] }, 'CORE-12'],
  ];
  for (const [what, own, rule] of waits)
    test(`a run that waits for ${what} ends when its time is up`, async () => {
      const agent = await agentWith(own, 1, { capabilities: { streaming: true } });
      const report = await checked(agent.url, {
        rules: new Set([rule]),
        allowWork: true,
        prompts,
        bounds: { ...unbounded, ms: 1_000 },
      });
      assert.deepEqual([report.end, report.isGone, report.results, report.unchecked], ['time', undefined, [], 1]);
      assert.match(english(checkRemarks(report)[0]!), /^The check stopped at the limit of 30 minutes: 1 of 1 verdicts/);
    });

  test('a run that waits as the agent asks ends when its time is up', async () => {
    const url = await open.web((request, response) => {
      request.resume();
      if (request.method === 'GET')
        response.setHeader('content-type', 'application/json').end(JSON.stringify(card(`http://${request.headers.host}/`, 1)));
      else response.writeHead(429, { 'retry-after': '9' }).end();
    });
    const report = await checked(url, {
      rules: new Set<RuleId>(['CORE-11']),
      bounds: { ...unbounded, ms: 1_000 },
      sleep: (_ms, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    });
    assert.deepEqual([report.end, report.unchecked], ['time', 1]);
  });

  test('where one interface is gone the others are asked side by side whether they are there', async () => {
    const gone = new Set(['0']);
    let waiting: (() => void)[] = [];
    const url = await open.web((request, response) => {
      request.resume();
      const { pathname, search } = new URL(request.url ?? '', 'http://127.0.0.1');
      if (pathname !== '/')
        return void response.setHeader('content-type', 'application/json').end(JSON.stringify(card(`http://${request.headers.host}/`, 20)));
      if (gone.has(search.slice(1))) return void response.destroy();
      const answer = (): void => {
        const body = { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Task not found' } };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      };
      // Until all have been asked none answers.
      if (waiting.push(answer) < 19) return;
      for (const each of waiting.splice(0)) each();
      waiting = { push: (each: () => void) => (each(), 0) } as unknown as (() => void)[];
    });
    const report = await checked(url, { rules: new Set<RuleId>(['CORE-11']), silenceMs: 5_000 });
    assert.deepEqual(
      report.interfaces.map(({ isGone }) => isGone),
      [true, ...Array.from({ length: 19 }, () => undefined)],
    );
    assert.deepEqual([report.end, report.results.length], ['complete', 20]);
  });

  test('interfaces that stay silent are not waited for one after the other', async () => {
    let asked = 0;
    const url = await open.web((request, response) => {
      request.resume();
      const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
      if (pathname === '/') asked++;
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(card(`http://${request.headers.host}/`, 20)));
    });
    const done: number[] = [];
    const report = await checked(url, {
      rules: new Set<RuleId>(['CORE-11', 'RPC-04', 'VER-03']),
      silenceMs: 1_000,
      onProgress: () => done.push(asked),
    });
    assert.ok(report.interfaces.every(({ isGone }) => isGone === true));
    // All of it was asked while the first rule was: two requests to each interface, of which that rule's own is one.
    assert.equal(asked, 20 * 2);
    assert.deepEqual(new Set(done.slice(1)), new Set([asked]));
    assert.equal(report.results.length, 60);
  });

  test('a run that is stopped while it looks whether the agent is there does not say that it is gone', async () => {
    const stop = new AbortController();
    const agent = await agentWith({
      GetTask: [{ stall: true }],
      *CancelTask() {
        stop.abort();
        yield { stall: true };
      },
    });
    const report = await checked(agent.url, { rules: new Set<RuleId>(['CORE-11', 'RPC-04']), silenceMs: 1_000, signal: stop.signal });
    assert.deepEqual([report.end, report.isGone], ['stopped', undefined]);
  });

  test('an address of internal networks is registered only where that is allowed, and taken back by the id that the agent gave', async () => {
    const agent = await agentWith(
      {
        CreateTaskPushNotificationConfig: ({ params }) => [{ answer: { ...params!, id: 'of-the-agent' } }],
        DeleteTaskPushNotificationConfig: [{ answer: {} }],
      },
      1,
      { capabilities: { pushNotifications: true } },
    );
    const sent = async (allowWork: boolean, rules?: ReadonlySet<RuleId>): Promise<readonly string[]> => {
      const before = agent.requests.length;
      await checked(agent.url, { allowWork, prompts, ...(rules !== undefined && { rules }) });
      return agent.requests.slice(before).flatMap(({ operation, params }) => {
        const text = JSON.stringify(params ?? {});
        const isMeant = text.includes('169.254') || (operation === 'DeleteTaskPushNotificationConfig' && text.includes('of-the-agent'));
        return isMeant && operation !== undefined ? [operation] : [];
      });
    };
    assert.deepEqual(await sent(false), []);
    assert.deepEqual(await sent(true, new Set<RuleId>(['PUSH-09'])), [
      'CreateTaskPushNotificationConfig',
      'DeleteTaskPushNotificationConfig',
    ]);
  });

  for (const allowWork of [false, true])
    test(`no address of anyone else is registered ${allowWork ? 'but those that are told' : 'where nothing is allowed'}`, async () => {
      const hosts = new Set<string>();
      for (const pushNotifications of [false, true]) {
        const agent = await agentWith({ CreateTaskPushNotificationConfig: ({ params }) => [{ answer: { ...params! } }] }, 1, {
          capabilities: { pushNotifications },
        });
        await checked(agent.url, { allowWork, prompts });
        for (const { params } of agent.requests)
          for (const [url] of JSON.stringify(params ?? {}).matchAll(/https?:\/\/[^"]+/g)) hosts.add(new URL(url).hostname);
      }
      // RFC 6761 §6.4: no name below `.invalid` ever leads anywhere.
      assert.deepEqual([...hosts].toSorted(), allowWork ? ['169.254.169.254', 'webhook.invalid'] : ['webhook.invalid']);
    });

  test('whoever may allow it is told which addresses are registered, where the agent takes webhooks', () => {
    const claims = (pushNotifications: boolean): AgentCard =>
      ({
        capabilities: { pushNotifications },
        defaultInputModes: [],
        skills: [],
        supportedInterfaces: [{ url: 'http://127.0.0.1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      }) as never;
    const told = (card: AgentCard, rules?: readonly RuleId[]): readonly string[] =>
      registeredBy(workingRules({ card, cardUrl: 'http://127.0.0.1/', noCard: false }, rules && new Set(rules), false));
    assert.deepEqual(told(claims(true)), ['http://169.254.169.254/']);
    assert.deepEqual(told(claims(true), ['PUSH-09']), ['http://169.254.169.254/']);
    assert.deepEqual(told(claims(true), ['CORE-01']), []);
    assert.deepEqual(told(claims(false)), []);
  });
});
