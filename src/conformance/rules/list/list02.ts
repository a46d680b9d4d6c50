import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { inconclusive, judged, tooFew, unlessResult } from '../rule/outcome.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Tasks are listed with the newest status first',
  section: '3.1.4',
  versions: ['1.0'],
  passive: true,
  active: true,
  kit: ['CORE-LIST-003'],
};

export const passive: PassiveCheck = {
  answer({ operation, result, pointer }, note) {
    if (operation !== 'ListTasks' || !isObject(result)) return;
    let before: string | undefined;
    for (const [index, { status }] of objects(result['tasks'])) {
      const timestamp = isObject(status) ? status['timestamp'] : undefined;
      const at = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
      if (Number.isNaN(at)) continue;
      if (before !== undefined && at > Date.parse(before)) {
        note(
          `${pointer}/tasks/${index}/status/timestamp`,
          sentence('{0} comes after {1}; the newest should come first.', quoted(timestamp), quoted(before)),
        );
        return;
      }
      before = timestamp as string;
    }
  },
};

export const probe: Probe = {
  async run(port) {
    const answer = await port.call('ListTasks', {});
    const tasks = isObject(answer.result) ? objects(answer.result['tasks']) : [];
    return unlessResult(answer) ?? (tasks.length < 2 ? inconclusive(answer, tooFew(tasks.length)) : judged('LIST-02', answer.exchange));
  },
};
