import * as assert from 'node:assert/strict';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { isUndecided, type CheckReport } from '../../../src/conformance/checkReport.ts';
import { ExchangeRecorder } from '../../../src/conformance/exchangeRecorder.ts';
import { outcomeOf } from '../../../src/conformance/checkSummary.ts';
import type { CheckOptions } from '../../../src/conformance/runCheck.ts';
import { badgeText } from '../../../src/conformance/reports/checkBadge.ts';
import { specReport } from '../../../src/cli/check/specReport.ts';
import { checkLines } from '../../../src/conformance/reports/jsonLines.ts';
import { evidenceFor } from '../../../src/conformance/reports/checkEvidence.ts';
import { checkRemarks } from '../../../src/conformance/reports/checkWords.ts';
import { workingRules } from '../../../src/conformance/workPrompts.ts';
import { InterfacePort } from '../../../src/conformance/port/interfacePort.ts';
import type { Script } from '../../../src/mock/script.ts';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { english, Problem, sentence } from '../../../src/protocol/problem.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import { checkRun } from '../../support/conformance/checkRun.ts';
import { atOtherHost } from '../../support/otherHost.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { task } from '../../support/client/says.ts';

const notFound = [{ error: { code: -32001, message: 'Task not found' } }] as const;
const script: Script = {
  GetTask: notFound,
  SendMessage: [{ answer: { task: task('TASK_STATE_COMPLETED') } }],
  // Its card says that it does not stream.
  SendStreamingMessage: [{ error: { code: -32004, message: 'This agent does not stream' } }],
  SubscribeToTask: [{ error: { code: -32004, message: 'This agent does not stream' } }],
};

const streams: Script = { SendStreamingMessage: notFound, SubscribeToTask: notFound };

suite('a run of the conformance suite', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const cardWith =
    (interfaces: (url: string) => readonly object[], more: object = {}) =>
    (url: string): Record<string, unknown> => ({
      name: 'Checked agent',
      description: 'Is checked.',
      version: '1.0.0',
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 's', name: 'S', description: 'S.', tags: ['s'] }],
      supportedInterfaces: interfaces(url),
      ...more,
    });
  const jsonRpc = (url: string, protocolVersion = '1.0') => ({ url, protocolBinding: 'JSONRPC', protocolVersion });

  const run = (agent: ScriptedAgent, more: Partial<CheckOptions> = {}, headers: Record<string, string> = {}): Promise<CheckReport> =>
    checkRun(agent.url, open.http(), more, headers);
  const verdicts = ({ results }: CheckReport, index: number): Readonly<Partial<Record<RuleId, string>>> =>
    Object.fromEntries(results.filter(each => each.interface === index).map(({ rule, verdict }) => [rule, verdict]));

  test('a disputed verdict says on what the official texts disagree', async () => {
    const working = { ...script, SendMessage: [{ answer: { task: task('TASK_STATE_WORKING') } }] };
    const agent = await open.agent(working, '1.0', { card: cardWith(url => [jsonRpc(url)]) });
    const { results } = await run(agent, { allowWork: true, prompts: { task: [{ text: 'x' }] }, rules: new Set<RuleId>(['CORE-09']) });
    const { verdict, remedy } = results.find(({ rule }) => rule === 'CORE-09') ?? assert.fail('CORE-09 has no verdict');
    assert.equal(verdict, 'disputed');
    assert.match(english(remedy!), /^Section 3\.1\.1 allows an immediate answer; in section 3\.2\.2 a send blocks [^.]*\. \w/);
  });

  test('nothing goes to an origin that nobody allowed, and the report says so', async () => {
    const other = await open.agent(script);
    const agent = await open.agent(script, '1.0', { card: cardWith(url => [jsonRpc(url), jsonRpc(atOtherHost(other.url))]) });
    const report = await run(agent, {}, { 'X-Key': 'secret-of-the-agent' });
    assert.equal(other.requests.length, 0);
    assert.match(english(report.interfaces[1]!.obstacle!), /Nothing was sent to http/);
    assert.deepEqual(verdicts(report, 1), {});
    assert.ok(Object.values(verdicts(report, 0)).includes('pass'));
    assert.ok(!JSON.stringify(report).includes('secret-of-the-agent'));
    const only = await open.agent(script, '1.0', { card: cardWith(() => [jsonRpc(atOtherHost(other.url))]) });
    await assert.rejects(run(only, {}, { 'X-Key': 'k' }), (error: unknown) => error instanceof Problem && error.code === 'no-interface');
    assert.equal(other.requests.length, 0);
  });

  test('the contexts in which the agent answers are told, each once, and none of those that it lists', async () => {
    const told: string[] = [];
    let count = 0;
    const made = (): object => ({ ...task('TASK_STATE_COMPLETED'), id: `t-${++count}`, contextId: `made "${count % 2}"` });
    const streams: Script = {
      ...script,
      SendMessage: () => [{ answer: { task: made() as never } }],
      SendStreamingMessage: () => [{ event: { task: { ...(made() as ReturnType<typeof task>), contextId: 'streamed' } } }],
      ListTasks: [{ answer: { tasks: [task('TASK_STATE_COMPLETED')], nextPageToken: '', pageSize: 50, totalSize: 1 } }],
    };
    const agent = await open.agent(streams, '1.0', { card: cardWith(url => [jsonRpc(url)], { capabilities: { streaming: true } }) });
    await run(agent, { allowWork: true, prompts: { task: [{ text: 'x' }] }, onContext: id => told.push(id) });
    assert.ok(agent.requests.some(({ operation }) => operation === 'ListTasks'));
    assert.deepEqual(told.toSorted(), ['made "0"', 'made "1"', 'streamed']);
  });

  test('what an artifact loses is not testable, however much was streamed: a check does not put the pieces together', async () => {
    const piece = (text: string, append: boolean) => ({
      event: { artifactUpdate: { taskId: 't', contextId: 'c', append, artifact: { artifactId: 'a', parts: [{ text }] } } },
    });
    const begun = { ...task('TASK_STATE_WORKING'), id: 't', contextId: 'c' };
    const end = { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' as const } } };
    const streams: Script = {
      ...script,
      SendStreamingMessage: [{ event: { task: begun } }, piece('one two', false), piece('two', false), { event: end }],
    };
    const agent = await open.agent(streams, '1.0', { card: cardWith(url => [jsonRpc(url)], { capabilities: { streaming: true } }) });
    const rules = new Set<RuleId>(['STRM-08', 'STRM-09']);
    const report = await run(agent, { allowWork: true, prompts: { task: [{ text: 'x' }] }, rules });
    assert.deepEqual(verdicts(report, 0), { 'STRM-08': 'not-testable', 'STRM-09': 'pass' });
    const [{ why }] = report.results as [CheckReport['results'][number]];
    assert.equal(english(why), 'Nothing received in this run shows whether the rule is followed.');
  });

  test('an interface that goes away does not make the others inconclusive', async () => {
    const going: { agent?: ScriptedAgent } = {};
    let count = 0;
    going.agent = await open.agent({
      ...script,
      async *GetTask() {
        if (++count === 1) await going.agent?.stop();
        yield* notFound;
      },
    });
    const agent = await open.agent(script, '1.0', { card: cardWith(url => [jsonRpc(going.agent!.url), jsonRpc(url)]) });
    const report = await run(agent);
    assert.equal(report.isGone, true);
    assert.equal(verdicts(report, 0)['CORE-11'], 'inconclusive');
    assert.equal(verdicts(report, 1)['CORE-11'], 'pass');
    // People read that once; programs have a line for each rule.
    const silent = report.results.filter(({ interface: index, verdict }) => index === 0 && verdict === 'inconclusive');
    assert.ok(silent.length > 10);
    const text = specReport(report, { verbose: false });
    const [first = ''] = text.split(/^JSONRPC 1\.0 \S+$/m).slice(1);
    assert.match(
      text,
      new RegExp(`^JSONRPC 1\\.0 \\S+: The interface did not answer: ${silent.length} rules are inconclusive for it\\.$`, 'm'),
    );
    assert.doesNotMatch(first, /^ {2}\? /m);
    assert.equal(text.match(/did not answer/g)?.length, 1);
    assert.match(specReport(report, { verbose: true }), /^ {2}\? CORE-11/m);
    // It asked for the card, which says nothing of how the interface answers.
    assert.notEqual(verdicts(report, 0)['RPC-08'], 'pass');
    assert.equal(checkLines(report).length, report.results.length);
  });

  for (const when of ['with a request', 'between requests'] as const)
    test(`an agent that dies ${when} is reported with the requests around that`, async () => {
      const going: { agent?: ScriptedAgent } = {};
      going.agent = await open.agent({
        ...script,
        async *CancelTask() {
          await going.agent!.stop();
          yield* notFound;
        },
      });
      const report = await run(going.agent, {
        rules: new Set<RuleId>(['CORE-11', 'CORE-15']),
        onProgress: ({ rule }) => when === 'between requests' && rule === 'CORE-15' && void going.agent!.stop(),
      });
      const remark = english(report.interfaces[0]!.remark!);
      assert.match(remark, /^Last request with an answer: GetTask \{"jsonrpc".*\}\} The next one got none: CancelTask \{"jsonrpc"/);
      assert.ok(specReport(report, { verbose: false }).includes(remark));
    });

  test('the rules that a question announces as untested are those that the report counts', async () => {
    const openWebhook = async (): Promise<never> => assert.fail('no webhook is needed');
    for (const capabilities of [{}, { streaming: true, pushNotifications: true }]) {
      const card = cardWith(url => [jsonRpc(url), jsonRpc(url, '0.3')], { capabilities });
      const agent = await open.agent(capabilities.streaming === true ? { ...script, ...streams } : script, '1.0', { card });
      const report = await run(agent, { openWebhook });
      const resolved = await resolveAgentCard(agent.url, { http: open.http() });
      const working = workingRules({ ...resolved, noCard: false }, undefined, false);
      assert.ok(working.includes('STRM-04') === (capabilities.streaming === true) && working.includes('CORE-12'));
      assert.ok(
        checkRemarks(report).map(english).includes(`${working.length} rules were not tested: they would start tasks.`),
        `${working.length}: ${checkRemarks(report).map(english).join('\n')}`,
      );
    }
  });

  test('an agent that leaves GetTask alone without an answer is not gone: only rules that ask for it are inconclusive', async () => {
    const agent = await open.agent({ ...script, GetTask: [{ stall: true }] }, '1.0', { card: cardWith(url => [jsonRpc(url)]) });
    const report = await run(agent, { silenceMs: 1_500, rules: new Set<RuleId>(['RPC-04', 'CORE-11', 'STRM-01', 'PUSH-01']) });
    assert.equal(report.isGone, undefined);
    const found = verdicts(report, 0);
    assert.deepEqual([found['RPC-04'], found['CORE-11'], found['STRM-01']], ['pass', 'inconclusive', 'pass']);
  });

  test('an agent that takes less for an answer than it may stay silent is there', async () => {
    const late = [{ delay: 1_500 }, ...notFound] as const;
    const agent = await open.agent({ ...script, GetTask: late, CancelTask: late }, '1.0', { card: cardWith(url => [jsonRpc(url)]) });
    const report = await run(agent, { silenceMs: 3_000, rules: new Set<RuleId>(['LIST-01', 'RPC-04']) });
    assert.deepEqual([report.isGone, verdicts(report, 0)], [undefined, { 'LIST-01': 'inconclusive', 'RPC-04': 'pass' }]);
    assert.ok(agent.requests.some(({ operation }) => operation === 'GetTask'));
  });

  test('a run says where the agent wanted credentials for everything', async () => {
    const locked = await open.agent({ GetTask: [{ status: 401 }], SendMessage: [{ status: 401 }], SubscribeToTask: [{ status: 401 }] });
    const rules = new Set<RuleId>(['CORE-11']);
    const report = await run(locked, { rules });
    assert.equal(report.isLocked, true);
    assert.match(badgeText(report).text, /\(incomplete\)$/);
    const agent = await open.agent(script);
    const other = await run(agent, { rules });
    assert.equal(other.isLocked, undefined);
    assert.match(badgeText(other).text, /: 1 of 1 MUST$/);
  });

  for (const [what, headers, body] of [
    ['HTTP 500', {}, 'oops'],
    ['HTTP 307', { location: 'http://127.0.0.1:9/' }, ''],
    ['HTTP 404', { 'content-type': 'application/json' }, '{"detail":"Not Found"}'],
  ] as const)
    test(`nothing is decided where every request is answered with ${what}`, async () => {
      const url = await open.web((request, response) => {
        request.resume();
        const own = `http://${request.headers.host}/`;
        if (request.method === 'GET' && request.url?.includes('agent-card') === true)
          response.setHeader('content-type', 'application/json').end(JSON.stringify(cardWith(() => [jsonRpc(`${own}rpc`)])(own)));
        else response.writeHead(Number(what.slice(-3)), headers).end(body);
      });
      const report = await checkRun(url, open.http(), { allowWork: true, prompts: { task: [{ text: 'Go' }] } });
      assert.deepEqual([report.isFailing, isUndecided(report)], [true, true]);
      assert.match(english(report.interfaces[0]!.remark!), new RegExp(`answered with ${what}, so nothing could be decided`));
      const passed = report.results.filter(({ verdict }) => verdict === 'pass').map(({ rule }) => rule);
      assert.ok(passed.length > 0);
      assert.deepEqual(
        passed.filter(rule => !/^(CARD|SIGN|AUTH)/.test(rule)),
        [],
      );
      // What has no such path is not where the card says.
      assert.equal(outcomeOf(report), what === 'HTTP 404' ? 'broken' : 'nothing');
      assert.match(badgeText(report).text, /\(incomplete\)$/);
    });

  const unreadable = {
    'of 33 MiB': `{"x":"${'x'.repeat(33 * 1024 * 1024)}"}`,
    'of 200,000 levels': `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
    'of 300 levels': `${'['.repeat(300)}${']'.repeat(300)}`,
    'of text': 'Hello',
    'without anything': '',
    'in UTF-16': Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}', 'utf16le'),
  };
  for (const [what, body] of Object.entries(unreadable))
    test(`answers ${what} keep no rule, break one, and are of no use`, async () => {
      for (const protocolBinding of ['JSONRPC', 'HTTP+JSON']) {
        const url = await open.web((request, response) => {
          request.resume();
          const own = `http://${request.headers.host}/`;
          const card = JSON.stringify(cardWith(() => [{ url: `${own}rpc`, protocolBinding, protocolVersion: '1.0' }])(own));
          response.setHeader('content-type', 'application/json').end(request.url?.includes('agent-card') === true ? card : body);
        });
        const rules = new Set<RuleId>(['RPC-01', 'RPC-04', 'HTTP-03', 'HTTP-06', 'DATA-01', 'DATA-02', 'VER-02', 'CORE-11', 'STRM-01']);
        const report = await checkRun(url, open.http(), { rules });
        const [passed, failed] = (['pass', 'fail'] as const).map(wanted => report.results.filter(({ verdict }) => verdict === wanted));
        assert.deepEqual(passed, []);
        assert.ok(failed!.length > 0);
        assert.equal(outcomeOf(report), 'nothing');
        assert.match(badgeText(report).text, /^1\.0: 0 of \d MUST \(incomplete\)$/);
        assert.match(english(report.interfaces[0]!.remark!), /^No answer of the agent could be read/);
      }
    });

  test('one answer among others that cannot be read breaks a MUST, and the rules that it was asked for are inconclusive', async () => {
    const agent = await open.agent({ ...script, GetTask: [{ raw: 'Hello' }] }, '1.0', { card: cardWith(url => [jsonRpc(url)]) });
    const report = await run(agent, { rules: new Set<RuleId>(['RPC-01', 'RPC-04', 'CORE-11']) });
    assert.deepEqual(verdicts(report, 0), { 'RPC-01': 'fail', 'RPC-04': 'pass', 'CORE-11': 'inconclusive' });
    assert.deepEqual([outcomeOf(report), badgeText(report).text], ['broken', '1.0: 1 of 2 MUST (incomplete)']);
  });

  test('what came too late is told with the state that ended the task', async () => {
    const told = (state: TaskState) => ({ event: { statusUpdate: { taskId: 't-1', contextId: 'c-1', status: { state } } } });
    const agent = await open.agent(
      {
        ...script,
        SendStreamingMessage: [{ event: { task: task('TASK_STATE_SUBMITTED') } }, told('TASK_STATE_COMPLETED'), told('TASK_STATE_WORKING')],
      },
      '1.0',
      { card: cardWith(url => [jsonRpc(url)], { capabilities: { streaming: true } }) },
    );
    const report = await run(agent, { allowWork: true, prompts: { task: [{ text: 'Go' }] }, rules: new Set<RuleId>(['STRM-03']) });
    assert.deepEqual(
      report.results.map(({ why }) => english(why)),
      ['An event came after TASK_STATE_COMPLETED.'],
    );
  });

  test('a stream with two ends breaks the rule of the one end', async () => {
    const told = (state: TaskState) => ({ event: { statusUpdate: { taskId: 't-1', contextId: 'c-1', status: { state } } } });
    const ends = ['TASK_STATE_COMPLETED', 'TASK_STATE_WORKING', 'TASK_STATE_FAILED'] as const;
    const agent = await open.agent(
      { ...script, SendStreamingMessage: [{ event: { task: task('TASK_STATE_SUBMITTED') } }, ...ends.map(told)] },
      '1.0',
      { card: cardWith(url => [jsonRpc(url)], { capabilities: { streaming: true } }) },
    );
    const rules = new Set<RuleId>(['STRM-03', 'STRM-11']);
    const report = await run(agent, { allowWork: true, prompts: { task: [{ text: 'Go' }] }, rules });
    assert.deepEqual(
      report.results.map(({ rule, verdict, why }) => [rule, verdict, english(why)]),
      [
        ['STRM-03', 'fail', 'An event came after TASK_STATE_COMPLETED.'],
        ['STRM-11', 'fail', 'The task reached TASK_STATE_FAILED after TASK_STATE_COMPLETED.'],
      ],
    );
  });

  test('of very many interfaces the first are checked, and the report says so', async () => {
    const agent = await open.agent(script, '1.0', {
      card: cardWith(url => Array.from({ length: 25 }, (_, index) => jsonRpc(`${url}?${index}`))),
    });
    const report = await run(agent, { rules: new Set<RuleId>(['CORE-11']) });
    const obstacles = report.interfaces.map(({ obstacle }) => obstacle && english(obstacle));
    assert.deepEqual(new Set(obstacles.slice(0, 20)), new Set([undefined]));
    assert.deepEqual(new Set(obstacles.slice(20)), new Set(['Only the first 20 interfaces are checked.']));
    assert.equal(report.interfaces.length, 25);
  });

  test('of what is too long to be checked little is remembered', () => {
    const recorder = new ExchangeRecorder();
    const exchange = (id: string, body: string): Exchange => ({
      id,
      operation: 'GetTask',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
      request: { method: 'POST', url: 'http://127.0.0.1/', headers: [], body: '{}' },
      startedAt: 0,
      response: { status: 200, headers: [], body },
      findings: [],
    });
    recorder.exchange(exchange('short', ' '.repeat(200_000)));
    recorder.exchange(exchange('long', ' '.repeat(10_000_000)));
    assert.deepEqual(
      recorder.all.map(({ response }) => [response?.body?.length, response?.truncated]),
      [
        [200_000, undefined],
        [65_536, true],
      ],
    );
  });

  test('the sentence of a failure is kept beside its English text', () => {
    const recorder = new ExchangeRecorder();
    recorder.exchange({
      id: 'lost',
      operation: 'GetTask',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
      request: { method: 'POST', url: 'http://127.0.0.1/', headers: [], body: '{}' },
      startedAt: 0,
      failure: 'Lost.',
      failureSentence: sentence('Lost.'),
      findings: [],
    });
    assert.deepEqual(recorder.kept('lost')?.exchange.failureSentence, sentence('Lost.'));
  });

  test('silence says that a rule is kept only where something came that could have broken it', async () => {
    const agent = await open.agent(script, '1.0', { card: cardWith(url => [jsonRpc(url)]) });
    const rules = new Set<RuleId>(['RPC-01', 'RPC-04', 'CORE-12', 'DATA-01', 'STRM-09', 'SIGN-01']);
    const harmless = verdicts(await run(agent, { rules }), 0);
    const working = verdicts(await run(agent, { rules, allowWork: true, prompts: { task: [{ text: 'Go' }] } }), 0);
    assert.equal(harmless['RPC-01'], 'pass');
    assert.equal(harmless['DATA-01'], 'not-testable');
    assert.equal(working['DATA-01'], 'pass');
    for (const each of [harmless, working]) {
      assert.equal(each['STRM-09'], 'not-testable');
      assert.equal(each['SIGN-01'], 'not-applicable');
    }
  });

  test('what the card broke is told once, with the bytes', async () => {
    const agent = await open.agent(script, '1.0', {
      card: cardWith(url => [jsonRpc(url), jsonRpc(`${url}other`)], { defaultInputModes: ['Ünsinn', 'text'] }),
    });
    const report = await run(agent, { rules: new Set<RuleId>(['CARD-17']) });
    assert.deepEqual(
      report.results.map(({ rule, verdict, interface: index }) => [rule, verdict, index]),
      [['CARD-17', 'warn', 0]],
    );
    assert.match(evidenceFor(report, report.results[0]!)?.marked?.marked ?? '', /^"(Ünsinn|text)"$/);
  });

  test('a rule that the card breaks more than once names each fault', async () => {
    const skills = [{ id: 's', name: 'S', description: 'S.', tags: 'tea' }];
    const agent = await open.agent(script, '1.0', {
      card: cardWith(url => [jsonRpc(url)], { defaultOutputModes: undefined, skills }),
    });
    const [result] = (await run(agent, { rules: new Set<RuleId>(['CARD-03']) })).results;
    assert.equal(english(result!.why), 'defaultOutputModes is missing. tags should be an array, not "tea".');
    const many = await open.agent(script, '1.0', {
      card: cardWith(url => [jsonRpc(url)], { defaultInputModes: undefined, defaultOutputModes: undefined, skills: [{}] }),
    });
    const [worst] = (await run(many, { rules: new Set<RuleId>(['CARD-03']) })).results;
    assert.match(english(worst!.why), /\(and 1 more\)$/);
  });

  test('a run that is stopped has what was asked until then, and what that showed', async () => {
    const stop = new AbortController();
    const agent = await open.agent({ ...script, GetTask: [{ stall: true }] }, '1.0', {
      card: cardWith(url => [jsonRpc(url)], { skills: [] }),
    });
    const running = run(agent, {
      signal: stop.signal,
      rules: new Set<RuleId>(['RPC-04', 'CORE-11', 'CORE-12', 'CARD-04']),
      onProgress: ({ rule }) => rule === 'CORE-11' && setImmediate(() => stop.abort()),
    });
    const report = await running;
    assert.equal(report.end, 'stopped');
    assert.equal(verdicts(report, 0)['RPC-04'], 'pass');
    assert.notEqual(verdicts(report, 0)['CARD-04'], undefined);
    assert.equal(verdicts(report, 0)['CORE-12'], undefined);
    // CORE-11, which was under way, and CORE-12.
    assert.equal(report.unchecked, 2);
    assert.deepEqual(checkRemarks(report).map(english), ['The check was stopped: 2 of 4 verdicts are missing.']);
    assert.equal((await run(await open.agent(script, '1.0', { card: cardWith(url => [jsonRpc(url)]) }))).unchecked, undefined);
  });

  test('an operation that stayed without an answer twice is not waited for again', async () => {
    const agent = await open.agent({ ...script, SendMessage: [{ stall: true }] }, '1.0', { card: cardWith(url => [jsonRpc(url)]) });
    const http = open.http();
    const { card, cardUrl, source } = await resolveAgentCard(agent.url, { http });
    const port = new InterfacePort({
      http,
      card,
      cardUrl,
      cardJson: JSON.parse(source) as Record<string, unknown>,
      interface: card.supportedInterfaces[0]!,
      signal: new AbortController().signal,
      log: new ExchangeRecorder(),
    });
    const send = () =>
      port.call('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Go' }] } }, { timeoutMs: 100 });
    const failed = async (): Promise<string> => {
      const error: unknown = await send().catch((reason: unknown) => reason);
      return error instanceof Problem ? error.code : String(error);
    };
    assert.deepEqual([await failed(), await failed(), await failed(), await failed()], ['timeout', 'timeout', 'silent', 'silent']);
    assert.equal(agent.requests.filter(({ operation }) => operation === 'SendMessage').length, 2);
    assert.equal((await port.call('GetTask', { id: 'x' })).error?.code, -32001);
  });

  for (const protocolBinding of ['JSONRPC', 'HTTP+JSON'])
    for (const isBegun of [false, true])
      test(`an operation that is silent now and then is waited for twice over ${protocolBinding}, ${isBegun ? 'in' : 'before'} its answer`, async () => {
        let waited = 0;
        const url = await open.web((request, response) => {
          const own = `http://${request.headers.host}/`;
          let body = '';
          request.on('data', (chunk: Buffer) => (body += chunk.toString()));
          request.on('end', () => {
            response.setHeader('content-type', 'application/json');
            if (request.url?.includes('agent-card') === true)
              return void response.end(JSON.stringify(cardWith(() => [{ ...jsonRpc(own), protocolBinding }])(own)));
            if (`${request.url} ${body}`.includes('other')) return void response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
            waited++;
            if (isBegun) response.write('{');
          });
        });
        const http = open.http();
        const { card, cardUrl, source } = await resolveAgentCard(url, { http });
        const [entry] = card.supportedInterfaces;
        const port = new InterfacePort({
          http,
          card,
          cardUrl,
          cardJson: JSON.parse(source) as Record<string, unknown>,
          interface: entry!,
          signal: new AbortController().signal,
          log: new ExchangeRecorder(),
        });
        const asked = (id: string): Promise<string> =>
          port.call('GetTask', { id }, { timeoutMs: 100 }).then(
            () => 'answered',
            (error: unknown) => (error instanceof Problem ? error.code : String(error)),
          );
        const found = [await asked('one'), await asked('other'), await asked('two'), await asked('other'), await asked('three')];
        assert.deepEqual([...found, waited], ['timeout', 'answered', 'timeout', 'silent', 'silent', 2]);
      });

  test('of a version before 0.3 the few rules that are about it are checked, and that is said', async () => {
    const agent = await open.agent(script, '0.2', {
      card: url => ({
        name: 'Old agent',
        description: 'Is old.',
        version: '1',
        url,
        capabilities: {},
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 's', name: 'S', description: 'S.', tags: ['s'] }],
      }),
    });
    const report = await run(agent);
    assert.equal(report.interfaces[0]?.protocolVersion, '0.2');
    assert.match(english(report.interfaces[0].remark!), /older than most rules: \d+ of \d+ apply to it/);
    assert.equal(verdicts(report, 0)['RPC-04'], 'pass');
    assert.equal(verdicts(report, 0)['CORE-12'], undefined);
  });
});
