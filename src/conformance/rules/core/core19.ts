import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { answeredTask } from '../rule/answeredTask.ts';
import { withTask } from '../rule/begun.ts';
import { failed, nothing, passed, said } from '../rule/outcome.ts';
import type { ProbePort, ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

/** The verdict on the answer to GetTask about a task. */
async function asked(port: ProbePort, id: string): Promise<ProbeResult> {
  const answer = await port.call('GetTask', { id });
  const [task, pointer] = answeredTask(answer) ?? [];
  if (task === undefined) return nothing(answer);
  const { id: answered } = task;
  return typeof answered === 'string' && answered !== id
    ? failed(answer, sentence('{0} should be {1}, not {2}.', 'id', quoted(id), quoted(answered)), `${pointer}/id`)
    : passed(answer, sentence('It answered {0}, as it should.', said(answer)));
}

const ofUnknown = (port: ProbePort): Promise<ProbeResult> => asked(port, crypto.randomUUID());

export const rule: Rule = {
  id: 'CORE-19',
  level: 'MUST',
  title: 'Answers about a task are about the requested task',
  remedy: 'Answer with the requested task; look for state that requests share.',
  clause: '3.1.3 Get Task',
  clause0_3: '7.3 tasks/get',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  startsWork: true,
  kit: [],
  probe: {
    withoutWork: ofUnknown,
    async run(port) {
      const unknown = await ofUnknown(port);
      return unknown.verdict === 'fail' ? unknown : withTask(port, 'task', ({ taskId }) => asked(port, taskId));
    },
  },
};
