import * as assert from 'node:assert/strict';
import type { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { checkLines } from '../../../src/conformance/reports/jsonLines.ts';
import { lostSentence, outcomeOf } from '../../../src/conformance/checkSummary.ts';
import { ExchangeRecorder } from '../../../src/conformance/exchangeRecorder.ts';
import { htmlReport } from '../../../src/conformance/reports/html.ts';
import { junitReport } from '../../../src/conformance/reports/junit.ts';
import { markdownReport } from '../../../src/conformance/reports/markdown.ts';
import { resumeSections } from '../../../src/conformance/reports/resumeWords.ts';
import { resumeCheck, type ResumeWaits } from '../../../src/conformance/resume/resumeCheck.ts';
import { runCheck, type CheckOptions } from '../../../src/conformance/runCheck.ts';
import { withResume } from '../../../src/conformance/withResume.ts';
import { trustIn } from '../../../src/client/http/origin.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Script, Step } from '../../../src/mock/script.ts';
import { english } from '../../../src/protocol/problem.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { conformingAgent, type CheckedBinding, type CheckedVersion } from '../../support/conformance/agent/conformingAgent.ts';
import { leftEnglish } from '../../support/leftEnglish.ts';
import { startSampleAgents } from '../../support/sampleAgents.ts';

/** Short waits: agents here answer at once, or never. */
const waits: ResumeWaits = { whole: 20_000, least: 400, poll: 10 };

/** How an agent differs from one that loses nothing. */
interface Faults {
  /** The steps of a subscription, where they are not the task as it is and the events after that. */
  readonly subscribe?: (about: { readonly task: Task; readonly events: readonly StreamResponse[]; readonly position: number }) => Step[];
  readonly get?: (task: Task) => Step[];
  /** The words of the artifact, of the message with that number. */
  readonly words?: (count: number) => readonly string[];
  readonly keepsIds?: boolean;
}

interface Kept {
  readonly events: readonly StreamResponse[];
  position: number;
}

/** The task after some of its events. */
function taskAfter(events: readonly StreamResponse[], position: number): Task {
  let [task] = events.flatMap(event => ('task' in event ? event.task : []));
  for (const event of events.slice(1, position)) {
    if ('statusUpdate' in event) task = { ...task!, status: event.statusUpdate.status };
    if (!('artifactUpdate' in event)) continue;
    const { artifact, append } = event.artifactUpdate;
    const before = append === true ? (task!.artifacts?.[0]?.parts ?? []) : [];
    task = { ...task!, artifacts: [{ ...artifact, parts: [...before, ...artifact.parts] }] };
  }
  return task!;
}

/**
 * An agent whose streams wait to be cut: that of its third message says nothing after the first event, that of the fourth after the second, and
 * so on, so that it does not depend on time where each is cut. `cuts` has how many events had gone out when a connection was closed.
 */
function cutAgent({ subscribe, get, words = () => ['one ', 'two ', 'three'], keepsIds = true }: Faults = {}) {
  const tasks = new Map<string, Kept>();
  const byMessage = new Map<string, string>();
  const cuts: number[] = [];
  let count = 0;
  const begin = (messageId: string): Kept => {
    const [taskId, contextId] = [crypto.randomUUID(), crypto.randomUUID()];
    const status = (state: Task['status']['state']): Task['status'] => ({ state, timestamp: new Date().toISOString() });
    const artifactId = crypto.randomUUID();
    const kept: Kept = {
      position: 0,
      events: [
        { task: { id: taskId, contextId, status: status('TASK_STATE_SUBMITTED') } },
        { statusUpdate: { taskId, contextId, status: status('TASK_STATE_WORKING') } },
        ...words(count).map((text, index) => ({
          artifactUpdate: { taskId, contextId, artifact: { artifactId, parts: [{ text }] }, append: index > 0, lastChunk: false },
        })),
        { statusUpdate: { taskId, contextId, status: status('TASK_STATE_COMPLETED') } },
      ],
    };
    tasks.set(taskId, kept);
    byMessage.set(messageId, taskId);
    return kept;
  };
  const over: Step = { error: { code: -32004, message: 'The task is over' } };
  const script: Script = {
    *SendStreamingMessage({ params, signal }) {
      const { messageId } = params!.message;
      const known = keepsIds ? byMessage.get(messageId) : undefined;
      const isSecond = byMessage.has(messageId);
      const kept = known === undefined ? begin(messageId) : tasks.get(known)!;
      const stallsAfter = isSecond ? Infinity : ++count - 2;
      for (const [index, event] of kept.events.entries()) {
        kept.position = index + 1;
        yield { event };
        if (index + 1 !== stallsAfter || stallsAfter === kept.events.length) continue;
        signal.addEventListener('abort', () => cuts.push(stallsAfter), { once: true });
        yield { stall: true };
        return;
      }
    },
    SubscribeToTask({ params }) {
      const kept = tasks.get(params!.id)!;
      const { events, position } = kept;
      if (position === events.length) return [over];
      const task = taskAfter(events, position);
      const steps = subscribe?.({ task, events, position }) ?? [{ event: { task } }, ...events.slice(position).map(event => ({ event }))];
      if (steps.every(step => 'event' in step)) kept.position = events.length;
      return steps;
    },
    GetTask({ params }) {
      const kept = tasks.get(params!.id);
      if (kept === undefined) return [{ error: { code: -32001, message: 'Task not found' } }];
      const task = taskAfter(kept.events, kept.position);
      // It goes on meanwhile.
      if (get === undefined) kept.position = kept.events.length;
      return get?.(task) ?? [{ answer: task }];
    },
  };
  return { script, cuts };
}

suite('streams that are cut', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  async function checked(url: string, more: Partial<CheckOptions> = {}, headers: Record<string, string> = {}) {
    const http = open.http();
    const recorder = new ExchangeRecorder();
    const { card, cardUrl, agentUrl, source, findings } = await resolveAgentCard(url, { http, headers, log: recorder });
    const options: CheckOptions = {
      http,
      card,
      cardUrl,
      agentUrl,
      findings,
      recorder,
      headers,
      cardJson: JSON.parse(source) as Record<string, unknown>,
      trust: trustIn(new URL(agentUrl), new Set(card.supportedInterfaces.map(entry => new URL(entry.url).origin)), headers),
      allowWork: true,
      prompts: { task: [{ text: 'go' }] },
      rules: new Set<RuleId>(['CARD-01']),
      signal: new AbortController().signal,
      ...more,
    };
    const report = await withResume({ ...options, waits }, await runCheck(options));
    for (const { rows, remarks } of resumeSections(report))
      for (const message of [...remarks, ...rows.flatMap(({ how, outcome, details }) => [how, outcome, details ?? outcome])])
        assert.deepEqual(leftEnglish(message), []);
    const [resume] = report.resume!;
    return {
      report,
      resume: resume!,
      matrix: resume!.cuts.map(({ after, how, outcome }) => `${after} ${how}: ${outcome}`),
      why: resume!.cuts.map(({ details }) => (details === undefined ? '' : english(details))),
    };
  }

  const checkedWith = async (faults: Faults = {}, about: { version?: CheckedVersion; binding?: CheckedBinding } = {}) => {
    const { version = '1.0', binding = 'JSONRPC' } = about;
    const { script, cuts } = cutAgent(faults);
    const agent = await conformingAgent({ version, binding, kind: 'full', script: () => script });
    open.add(() => agent.stop());
    return { ...(await checked(agent.url, {}, { Authorization: 'Bearer right' })), cuts };
  };
  const all = (how: string, outcome: string): readonly string[] => [1, 2, 3, 4, 5].map(after => `${after} ${how}: ${outcome}`);

  for (const version of ['1.0', '0.3'] as const)
    for (const binding of ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const)
      test(`over ${binding} ${version}: what a subscription brings is the same, and what it leaves out is lost`, async () => {
        const right = await checkedWith({}, { version, binding });
        assert.deepEqual([right.matrix, right.cuts], [all('subscribed', 'same'), [1, 2, 3, 4, 5]]);
        assert.deepEqual([right.resume.events, right.resume.isSteady, right.resume.sentTwice], [6, true, { outcome: 'same task' }]);
        assert.equal(outcomeOf(right.report), 'fine');
        const losing = await checkedWith(
          {
            subscribe: ({ task, events, position }) => [
              { event: { statusUpdate: { taskId: task.id, contextId: task.contextId!, status: task.status } } },
              ...events.slice(position + 1).map(event => ({ event })),
            ],
          },
          { version, binding },
        );
        const lost = [2, 3, 4].map(after => `${after} subscribed: lost`);
        // After the fifth event there is only the end, after the first only that the agent works.
        assert.deepEqual(losing.matrix.slice(0, 4), ['1 subscribed: same', ...lost]);
        assert.deepEqual(losing.why.slice(1, 4), ['Missing: "one "', 'Missing: "two "', 'Missing: "three"']);
        assert.equal(losing.resume.cuts[4]?.outcome, 'same');
        assert.equal(outcomeOf(losing.report), 'broken');
      });

  test('what a subscription brings a second time is repeated', async () => {
    const { matrix, why, report } = await checkedWith({
      subscribe: ({ task, events, position }) => [{ event: { task } }, ...events.slice(position - 1).map(event => ({ event }))],
    });
    // The chunk that begins the artifact puts it a second time, the ones after it are appended twice.
    assert.deepEqual(matrix, [
      ...[1, 2, 3].map(after => `${after} subscribed: same`),
      ...[4, 5].map(after => `${after} subscribed: repeated`),
    ]);
    assert.deepEqual(why.slice(3), ['Twice: "two "', 'Twice: "three"']);
    assert.equal(outcomeOf(report), 'fine');
  });

  test('GetTask is asked where a subscription is refused, until the task is over', async () => {
    let asked = 0;
    const refuse: Faults['subscribe'] = () => [{ error: { code: -32004, message: 'Not here' } }];
    const patient = await checkedWith({ subscribe: refuse });
    assert.deepEqual(patient.matrix, all('asked', 'same'));
    const neither = await checkedWith({ subscribe: refuse, get: () => (asked++, [{ error: { code: -32001, message: 'Which task?' } }]) });
    assert.deepEqual(neither.matrix, all('refused', 'lost'));
    assert.match(neither.why[0]!, /Not here.*Which task\?/s);
    assert.equal(asked, 5);
  });

  test('a subscription that is closed early, and GetTask has the rest', async () => {
    const { matrix } = await checkedWith({ subscribe: ({ task }) => [{ event: { task } }] });
    assert.deepEqual(matrix, all('subscribed', 'same'));
  });

  test('a task that never ends after a cut ends each wait', async () => {
    const stalls = await checkedWith({ subscribe: ({ task }) => [{ event: { task } }, { stall: true }], get: task => [{ answer: task }] });
    assert.deepEqual(stalls.matrix, all('subscribed', 'never ended'));
    assert.match(stalls.why[2]!, /^No end of the task within 1 s; GetTask answers TASK_STATE_WORKING\.$/);
    assert.equal(outcomeOf(stalls.report), 'broken');
    assert.equal(english(lostSentence(stalls.report)!), 'After 5 of 5 cuts, the task never ended.');
    const [result] = stalls.report.resume!;
    const [first, ...others] = result!.cuts;
    const both = { resume: [{ ...result!, cuts: [{ ...first!, outcome: 'lost' as const }, ...others] }] };
    assert.equal(english(lostSentence(both)!), 'Of 5 streams that were cut, 1 lost something; after 4, the task never ended.');
    const asked = await checkedWith({
      subscribe: () => [{ error: { code: -32004, message: 'Not here' } }],
      get: task => [{ answer: task }],
    });
    assert.deepEqual(asked.matrix, all('asked', 'never ended'));
  });

  test('a message that is sent twice begins a second task', async () => {
    const { resume, matrix } = await checkedWith({ keepsIds: false });
    assert.deepEqual([resume.sentTwice, matrix], [{ outcome: 'second task' }, all('subscribed', 'same')]);
  });

  test('an agent that answers otherwise each time is measured by its own record of the task', async () => {
    const words = (count: number): readonly string[] => [`one ${count} `, 'two ', `three ${count}`];
    const right = await checkedWith({ words });
    assert.equal(right.resume.isSteady, false);
    assert.deepEqual(right.matrix, all('subscribed', 'same'));
    assert.match(resumeSections(right.report)[0]!.remarks.map(english).join(), /Two uncut runs differed/);
    const losing = await checkedWith({
      words,
      subscribe: ({ task, events, position }) => [
        { event: { task: { ...task, artifacts: [] } } },
        ...events.slice(position).map(event => ({ event })),
      ],
    });
    assert.deepEqual(losing.matrix, [
      ...[1, 2].map(after => `${after} subscribed: same`),
      ...[3, 4, 5].map(after => `${after} subscribed: lost`),
    ]);
    const repeating = await checkedWith({
      words,
      subscribe: ({ task, events, position }) => [{ event: { task } }, ...events.slice(position - 1).map(event => ({ event }))],
    });
    assert.deepEqual(repeating.matrix.slice(3), ['4 subscribed: repeated', '5 subscribed: repeated']);
  });

  test('a defect while streams are cut is no result', async () => {
    const client = {
      stream: () => {
        throw new TypeError('a defect');
      },
    } as unknown as AgentClient;
    const log = new ExchangeRecorder();
    await assert.rejects(resumeCheck({ client, parts: [{ text: 'x' }], log, signal: new AbortController().signal }), /a defect/);
  });

  test('nothing is cut where nothing can be, and the reason is said', async () => {
    const why = async (script: Script, more: Partial<CheckOptions> = {}): Promise<string> => {
      const { url } = await open.agent(script, '1.0');
      const { resume } = await checked(url, more);
      assert.deepEqual(resume.cuts, []);
      return english(resume.obstacle!);
    };
    const message: StreamResponse = { message: { messageId: 'a-1', role: 'ROLE_AGENT', parts: [{ text: 'Hello' }] } };
    assert.match(await why({ SendStreamingMessage: [{ event: message }] }), /^Not applicable: the agent answers with a message/);
    const done: StreamResponse = { task: { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } } };
    assert.match(await why({ SendStreamingMessage: [{ event: done }] }), /^Not applicable: the task ends with the first event/);
    const working: StreamResponse = { task: { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } } };
    assert.match(await why({ SendStreamingMessage: [{ event: working }] }), /^Not tested: a stream that was not cut ended/);
    assert.match(await why({ SendStreamingMessage: [{ error: { code: -32603, message: 'Broken' } }] }), /^Not tested: .*Broken/);
    assert.match(await why({}, { prompts: {} }), /No message is configured/);
    const { url } = await open.agent({}, '1.0', { card: own => ({ ...(minimalCard(own, '1.0') as object), capabilities: {} }) });
    assert.match(english((await checked(url)).resume.obstacle!), /^Not applicable: no card declares capabilities\.streaming\.$/);
  });

  test('a check that is stopped has the cuts until then', async () => {
    const stop = new AbortController();
    const { script } = cutAgent();
    const { url } = await open.agent(script);
    const { resume, report } = await checked(url, {
      signal: stop.signal,
      onProgress: ({ rule, done }) => rule === 'resume' && done === 4 && stop.abort(),
    });
    assert.deepEqual(
      resume.cuts.map(({ after }) => after),
      [1, 2],
    );
    assert.equal(english(resume.remark!), 'Stopped before all streams were cut.');
    assert.equal(report.end, 'complete');
  });

  test('every report has the cuts', async () => {
    const { report } = await checkedWith({
      subscribe: ({ task, events, position }) => [
        { event: { task: { ...task, artifacts: [] } } },
        ...events.slice(position).map(event => ({ event })),
      ],
    });
    const line = checkLines(report).find(each => 'resume' in each) ?? assert.fail('no line');
    const { cuts, sentTwice } = line.resume as { readonly cuts: readonly object[]; readonly sentTwice: object };
    assert.deepEqual(cuts[3], { after: 4, how: 'subscribed', outcome: 'lost', details: 'Missing: "one two "' });
    assert.deepEqual(sentTwice, { outcome: 'same task' });
    const junit = junitReport(report);
    assert.match(junit, /<testcase name="Stream cut after event 2" classname="[^"]*"\/>/);
    assert.match(junit, /<testcase name="Stream cut after event 4"[^>]*><failure message="lost: Missing: &quot;one two &quot;"\/>/);
    assert.match(junit, /^<testsuites name="[^"]*" tests="6" failures="3"/m);
    assert.match(markdownReport(report, english), /\| 4 \| SubscribeToTask \| ✗ lost: Missing: "one two " \|/);
    const html = htmlReport(report, english);
    assert.match(html, /<td class="n">4<\/td><td>SubscribeToTask<\/td><td class="fail">lost: Missing: &quot;one two &quot;<\/td>/);
    assert.match(html, /3 of 5 streams that were cut lost something\./);
  });

  test('a sample agent loses nothing over either version', async () => {
    const { urls, stop } = await startSampleAgents({ pace: 0.1 });
    open.add(stop);
    // More than are cut, so that the task goes on after each cut.
    const { report } = await checked(urls.Writer, { prompts: { task: [{ text: 'Write 60 chunks' }] } });
    const each = report.resume!.map(({ cuts }) => cuts.map(({ how, outcome }) => `${how}: ${outcome}`));
    assert.deepEqual(each, [Array(20).fill('subscribed: same'), Array(20).fill('subscribed: same')]);
  });
});
