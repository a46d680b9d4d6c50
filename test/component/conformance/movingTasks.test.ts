import * as assert from 'node:assert/strict';
import { english } from '../../../src/protocol/problem.ts';
import type { Script } from '../../../src/mock/script.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import type { RuleVerdict } from '../../../src/conformance/suite.ts';
import { checked } from '../../support/conformance/agent/checked.ts';
import { answering, asking, otherwise, refusing } from '../../support/conformance/probeDecoy.ts';

const bad = ({ verdict }: RuleVerdict): boolean => verdict === 'fail' || verdict === 'warn';
const told = (verdicts: readonly RuleVerdict[]): string[] =>
  verdicts.map(({ rule, verdict, why }) => `${rule} ${verdict}: ${english(why)}`);

suite('tasks that move on while they are asked about', () => {
  /** The task as the send tells it, before it moves on. */
  const begun = answering('SendMessage', ({ task }) => ({ task: { ...task, status: { ...task.status, state: 'TASK_STATE_WORKING' } } }));
  const over = answering('GetTask', task => ({ ...task, status: { ...task.status, state: 'TASK_STATE_COMPLETED' } }));
  const all =
    (...faults: readonly ((right: Script) => Script)[]) =>
    (right: Script): Script =>
      Object.assign({}, ...faults.map(fault => fault(right))) as Script;
  const moving: readonly {
    readonly when: string;
    readonly rule: RuleId;
    readonly verdict: string;
    readonly script: (right: Script) => Script;
  }[] = [
    { when: 'once it was begun', rule: 'LIST-06', verdict: 'pass', script: begun },
    {
      when: 'between two lists',
      rule: 'LIST-06',
      verdict: 'inconclusive',
      script: all(
        begun,
        answering('ListTasks', (page, { status }) =>
          status === undefined
            ? { ...page, tasks: page.tasks.map((task: object) => ({ ...task, status: { state: 'TASK_STATE_WORKING' } })) }
            : page,
        ),
      ),
    },
    {
      when: 'between two pages',
      rule: 'LIST-05',
      verdict: 'pass',
      script: right => {
        let count = 0;
        return asking('ListTasks', ({ pageToken, ...params }) =>
          pageToken === undefined || count++ === 0 ? params : { ...params, pageToken },
        )(right);
      },
    },
    {
      when: 'and becomes one more between two pages',
      rule: 'LIST-07',
      verdict: 'pass',
      script: right => {
        let count = 0;
        return answering('ListTasks', (page, { pageSize }) => ({
          ...page,
          totalSize: page.totalSize + (pageSize === 2 && count++ === 0 ? -1 : 0),
        }))(right);
      },
    },
    {
      when: 'and takes its configurations along',
      rule: 'PUSH-02',
      verdict: 'inconclusive',
      script: all(begun, refusing('GetTaskPushNotificationConfig', -32001)),
    },
    {
      when: 'and takes its configurations from the list',
      rule: 'PUSH-02',
      verdict: 'inconclusive',
      script: all(
        begun,
        answering('ListTaskPushNotificationConfigs', () => ({ configs: [] })),
      ),
    },
    {
      when: 'and no longer waits for authorization',
      rule: 'TASK-AUTH-02',
      verdict: 'inconclusive',
      script: all(
        over,
        otherwise('SendMessage', (request, does) =>
          request.params.message.taskId === undefined ? does(request) : [{ error: { code: -32004, message: 'Over' } }],
        ),
      ),
    },
    {
      when: 'before another listens',
      rule: 'STRM-05',
      verdict: 'inconclusive',
      script: right => {
        let count = 0;
        return all(
          over,
          otherwise('SubscribeToTask', (request, does) => (++count === 3 ? [{ error: { code: -32004, message: 'Over' } }] : does(request))),
        )(right);
      },
    },
  ];
  for (const { when, rule, verdict, script } of moving)
    test(`a task that moves on ${when} does not break ${rule}`, async () => {
      for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
        const verdicts = await checked(
          { version: '1.0', binding, kind: 'full', script },
          { rules: new Set<RuleId>(['CORE-04', 'CORE-06', rule]) },
        );
        assert.deepEqual(told(verdicts.filter(bad)), [], binding);
        assert.equal(verdicts.find(each => each.rule === rule)?.verdict, verdict, `${binding}: ${told(verdicts).join('; ')}`);
      }
    });

  test('a list that counts one more on each page breaks LIST-07, asked again or not', async () => {
    const script = (right: Script): Script => {
      let count = 0;
      return answering('ListTasks', page => ({ ...page, totalSize: page.totalSize + count++ }))(right);
    };
    const verdicts = await checked(
      { version: '1.0', binding: 'JSONRPC', kind: 'full', script },
      { rules: new Set<RuleId>(['CORE-04', 'CORE-06', 'LIST-07']) },
    );
    assert.match(told(verdicts.filter(bad)).join(), /^LIST-07 warn: totalSize is \d+; on the page before it was \d+\.$/);
  });
});
