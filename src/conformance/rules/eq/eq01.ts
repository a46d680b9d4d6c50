import { errorNames } from '../../../protocol/errors.ts';
import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { methodName } from '../rule/methodName.ts';
import { failed, isRefused, passed, wantsCredentials } from '../rule/outcome.ts';
import type { ProbePort } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessSiblings } from '../rule/unless.ts';
import { objects } from '../rule/values.ts';

export const rule: Rule = {
  id: 'EQ-01',
  level: 'MUST',
  title: 'All interfaces answer the same request the same way',
  remedy: 'Put all bindings in front of one request handler and one task store.',
  clause: '5.1 Functional Equivalence Requirements',
  clause0_3: '3.4.1 Functional Equivalence Requirements',
  versions: ['1.0', '0.3'],
  needsTasks: true,
  kit: ['BIND-EQUIV-001', 'BIND-EQUIV-002', 'BIND-EQUIV-003'],
  probe: {
    unless: unlessSiblings,
    async run(port) {
      const id = crypto.randomUUID();
      const own = await port.call('GetTask', { id });
      const taskId = port.version === '1.0' ? await listedTask(port) : undefined;
      for (const sibling of port.siblings()) {
        const { url } = sibling.interface;
        const other = await sibling.call('GetTask', { id });
        if (wantsCredentials(other) || own.error?.code === undefined || other.error?.code === undefined) continue;
        const [one, another] = [own.error.code, other.error.code];
        if (one !== another && errorNames[another] !== undefined && another !== -32009 && another !== -32601 && one === -32001)
          return failed(
            other,
            sentence('{0} is answered with {1}, and over {2} with {3}.', methodName('GetTask', other), one, url, another),
            other.error.pointer,
          );
        if (taskId === undefined) continue;
        const there = await sibling.call('GetTask', { id: taskId });
        if (there.error?.code === -32001 && !isRefused(await port.call('GetTask', { id: taskId })))
          return failed(there, sentence('Task {0} is unknown over {1}.', quoted(taskId), url), there.error.pointer);
      }
      return passed(own, sentence('All interfaces gave the same answer.'));
    },
  },
};

/** The id of a task that the agent lists. Of the answer nothing is held while others come: each may be 32 MiB. */
async function listedTask(port: ProbePort): Promise<string | undefined> {
  const { result } = await port.call('ListTasks', {});
  const [known] = isObject(result) ? objects(result['tasks']) : [];
  const id = known?.[1]['id'];
  return typeof id === 'string' ? id : undefined;
}
