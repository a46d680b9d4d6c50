import * as assert from 'node:assert/strict';
import type { ReceivedRequest, Script, Step } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says, statusUpdate, task } from '../../support/client/says.ts';
import { silentCard } from '../../process/support/agentScripts.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const idOf = ({ body }: ReceivedRequest): unknown => (JSON.parse(body) as { id: unknown }).id;
const answers =
  (result: object, id?: unknown) =>
  (request: ReceivedRequest): Step[] => [{ json: { jsonrpc: '2.0', id: id ?? idOf(request), result } }];
const ok = { message: says('hi') };
const begun: Step = { event: { task: task('TASK_STATE_WORKING') } };
const completed: Step = { event: statusUpdate('TASK_STATE_COMPLETED') };
/** A task that ends with these words. */
const result = (text: string): Step => ({
  event: {
    task: {
      ...task('TASK_STATE_COMPLETED'),
      status: { state: 'TASK_STATE_COMPLETED', message: { messageId: text, role: 'ROLE_AGENT', parts: [{ text }] } },
    },
  },
});

interface Attack {
  readonly script: Script;
  /** The rule that is departed from. */
  readonly rule: string;
  /** Without "expect"; a deviation that leaves no doubt about the answer is told only. */
  readonly verdict: 'sent' | 'failed';
  readonly says: RegExp;
}

const attacks: Readonly<Record<string, Attack>> = {
  'a task that failed after it was completed': {
    script: { SendStreamingMessage: [begun, completed, { delay: 100 }, { event: statusUpdate('TASK_STATE_FAILED') }] },
    rule: 'STRM-11',
    verdict: 'failed',
    says: /was completed and is reported as failed/,
  },
  'a task that was completed twice, with two results': {
    script: { SendStreamingMessage: [begun, result('42'), { delay: 100 }, result('43')] },
    rule: 'STRM-11',
    verdict: 'failed',
    says: /was completed and is reported as completed again with other content/,
  },
  'a task that was completed after it failed, as a whole': {
    script: {
      SendStreamingMessage: [begun, completed, { delay: 100 }, { event: { task: task('TASK_STATE_REJECTED') } }],
      GetTask: [{ answer: task('TASK_STATE_COMPLETED') }],
    },
    rule: 'STRM-11',
    verdict: 'failed',
    says: /was completed and is reported as rejected/,
  },
  'an error after the end of the task': {
    script: { SendStreamingMessage: [begun, completed, { delay: 100 }, { error: { code: -32603, message: 'the pipe broke' } }] },
    rule: 'STRM-11',
    verdict: 'failed',
    says: /The agent sent an error after its task had ended: .*the pipe broke/,
  },
  'a status of a task that nobody has heard of': {
    script: { SendStreamingMessage: [completed] },
    rule: 'STRM-02',
    verdict: 'sent',
    says: /first event of the stream is about the unknown task "t-1"/,
  },
  'a result with HTTP 500': {
    script: { ...silentCard, SendMessage: [{ status: 500 }, { answer: ok }] },
    rule: 'HTTP-07',
    verdict: 'failed',
    says: /A result should not have HTTP status 500/,
  },
  'a result with HTTP 500 when the task is asked for': {
    script: {
      ...silentCard,
      SendMessage: [{ answer: { task: task('TASK_STATE_WORKING') } }],
      GetTask: [{ status: 500 }, { answer: task('TASK_STATE_COMPLETED') }],
    },
    rule: 'HTTP-07',
    verdict: 'failed',
    says: /A result should not have HTTP status 500/,
  },
  'an answer to another request': {
    script: { ...silentCard, SendMessage: answers(ok, 'another') },
    rule: 'RPC-08',
    verdict: 'failed',
    says: /id should be the request's, not "another"/,
  },
  'an event of another request': {
    script: { SendStreamingMessage: [{ raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id: 'another', result: ok })}\n\n` }] },
    rule: 'RPC-08',
    verdict: 'failed',
    says: /id should be the request's, not "another"/,
  },
  'a number for an id': {
    script: { ...silentCard, SendMessage: answers(ok, 1) },
    rule: 'RPC-01',
    verdict: 'sent',
    says: /id should be the request's, not 1/,
  },
  'a message that is none': {
    script: { ...silentCard, SendMessage: answers({ message: {} }) },
    rule: 'DATA-01',
    verdict: 'failed',
    says: /answered with a message that has no parts/,
  },
  'a message without parts': {
    script: { ...silentCard, SendMessage: answers({ message: { messageId: 'm', role: 'ROLE_AGENT' } }) },
    rule: 'DATA-01',
    verdict: 'failed',
    says: /answered with a message that has no parts/,
  },
  'a message without a role': {
    script: { ...silentCard, SendMessage: answers({ message: { messageId: 'm', parts: [{ text: 'hi' }] } }) },
    rule: 'DATA-02',
    verdict: 'sent',
    says: /role should be/,
  },
};

suite('what deviates from the protocol is seen in a run', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  for (const [title, { script, rule, verdict, says: words }] of Object.entries(attacks)) {
    test(title, async () => {
      const agent = await open.agent(script);
      const plain = { agent: agent.url, message: 'x' };
      const cwd = await program.workspace({
        'x.a2a': {
          requests: [
            { ...plain, name: 'plain' },
            { ...plain, name: 'strict', expect: { findings: [] } },
            { ...plain, name: 'allowed', expect: { findings: ['DATA-01', 'DATA-02', 'DATA-06', rule] } },
          ],
        },
      });
      const { status, out } = await program.run(['run', 'x.a2a', '--parallel', '3'], { cwd });
      const result = (name: string): string => new RegExp(`^\\S x\\.a2a › ${name}.*\\n(?: .*\\n)*`, 'm').exec(out)?.[0] ?? '';
      assert.match(result('plain'), verdict === 'sent' ? /^→/ : /^✗/, out);
      assert.match(result('plain'), words);
      assert.match(result('plain'), new RegExp(`${rule} /`), 'the deviation is told');
      assert.match(result('strict'), /^✗/);
      assert.match(result('strict'), new RegExp(`deviates from the protocol[^]*${rule}`));
      // Who allows a deviation has decided about it; a message that says nothing is no answer all the same.
      assert.match(result('allowed'), title.startsWith('a message that') || title === 'a message without parts' ? /^✗/ : /^✓/);
      assert.equal(status, 1);
    });
  }

  const odd = { ...task('TASK_STATE_WORKING'), status: { state: 'TASK_STATE_PONDERING' } };
  for (const [title, args, words, ends] of [
    [
      'within its limit',
      ['--timeout', '2s'],
      /not finish within 2 seconds\. The task is in the state "TASK_STATE_PONDERING", which A2A does not define\./,
      1,
    ],
    [
      'without a limit',
      [],
      /The task is in the state "TASK_STATE_PONDERING", which A2A does not define, so it is unknown whether the task has ended\./,
      3,
    ],
  ] as const) {
    test(`a state that A2A does not have is called by its name, and not waited for without end: ${title}`, async () => {
      const agent = await open.agent({
        ...silentCard,
        SendMessage: answers({ task: odd }),
        GetTask: answers(odd),
        CancelTask: [{ stall: true }],
      });
      const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: 'x' } });
      const { status, out } = await program.run(['run', 'x.a2a', ...args], { cwd });
      assert.match(out, words);
      assert.match(out, /DATA-02 \/task\/status\/state: "TASK_STATE_PONDERING"/);
      assert.equal(status, ends, out);
      assert.ok(agent.requests.some(({ operation }) => operation === 'CancelTask'));
    });
  }

  test('what an error breaks counts among the findings, and is printed before it', async () => {
    for (const [more, broken] of [
      [{ error: 'it is broken' }, 'RPC-01 /error: The error should be an object'],
      [{ error: { code: '-32001' } }, 'RPC-01 /error/code: The code of the error'],
      [{ error: { code: -32603, message: 'broken' }, result: ok }, 'RPC-01 /: The response has both'],
      [{ error: { code: -32603, message: 'broken' } }, undefined],
    ] as const) {
      const answer = (request: ReceivedRequest): Step[] => [{ json: { jsonrpc: '2.0', id: idOf(request), ...more } }];
      const agent = await open.agent({ ...silentCard, SendMessage: answer, GetTask: answer });
      const expect = { error: { exists: true }, findings: [] };
      const cwd = await program.workspace({
        'x.a2a': {
          requests: [
            { agent: agent.url, message: 'x', expect },
            { agent: agent.url, method: 'GetTask', params: { id: 'x' }, expect },
          ],
        },
      });
      const { status, out } = await program.run(['run', 'x.a2a'], { cwd });
      assert.equal(out.split('deviates from the protocol').length - 1, broken === undefined ? 0 : 2, out);
      assert.equal(status, broken === undefined ? 0 : 1, out);
      const { err } = await program.run(['send', agent.url, 'x']);
      assert.equal(err.indexOf('RPC-01'), broken === undefined ? -1 : 0, err);
      assert.ok(broken === undefined || (err.startsWith(broken) && err.split(broken).length === 2), err);
      assert.match(err, /^The agent answered /m);
    }
  });

  test('a message that is sent by itself does not wait for such a state without end either', async () => {
    const agent = await open.agent({ ...silentCard, SendMessage: answers({ task: odd }), GetTask: answers(odd) });
    const { status, err } = await program.run(['send', agent.url, 'x']);
    assert.match(
      err,
      /The task is in the state "TASK_STATE_PONDERING", which A2A does not define, so it is unknown whether the task has ended\.\n.*own log/,
    );
    assert.equal(status, 3);
  });

  test('a state that A2A does not have may be on the way to another one', async () => {
    let asked = 0;
    const agent = await open.agent({
      ...silentCard,
      SendMessage: answers({ task: odd }),
      GetTask: request => answers((asked += 1) < 3 ? odd : task('TASK_STATE_COMPLETED'))(request),
    });
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: 'x', expect: { state: 'completed' } } });
    const { status, out } = await program.run(['run', 'x.a2a'], { cwd });
    assert.match(out, /✓ x\.a2a[^]*"TASK_STATE_PONDERING"/);
    assert.equal(status, 0, out);
  });

  test('programs are told too', async () => {
    const agent = await open.agent({ SendStreamingMessage: [completed] });
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: 'x' } });
    const { out: json } = await program.run(['run', 'x.a2a', '--json'], { cwd });
    const [result] = json
      .split('\n')
      .map(line => (line === '' ? {} : JSON.parse(line)) as { readonly findings?: readonly { readonly rule: string }[] });
    assert.deepEqual(
      result?.findings?.map(({ rule }) => rule),
      ['STRM-02'],
    );
    const { out: junit } = await program.run(['run', 'x.a2a', '--reporter', 'junit'], { cwd });
    assert.match(junit, /<testcase [^>]*>\s*<system-out>STRM-02 \/: [^<]*<\/system-out>\s*<\/testcase>/);
  });
});
