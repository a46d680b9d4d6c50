import { isObject } from '../../json.ts';
import { sentence } from '../../problem.ts';
import { inconclusive, judged, unlessResult } from '../rule/outcome.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Listed tasks have no artifacts unless includeArtifacts is set',
  section: '3.1.4',
  versions: ['1.0'],
  passive: true,
  active: true,
  kit: ['CORE-LIST-005'],
};

export const passive: PassiveCheck = {
  answer({ operation, params, result, pointer }, note) {
    if (operation !== 'ListTasks' || !isObject(result) || String(params['includeArtifacts']) === 'true') return;
    for (const [index, { artifacts }] of objects(result['tasks'])) {
      if (artifacts === undefined || artifacts === null || (Array.isArray(artifacts) && artifacts.length === 0)) continue;
      note(`${pointer}/tasks/${index}/artifacts`, sentence('The task is listed with its artifacts, which were not asked for.'));
      return;
    }
  },
};

export const probe: Probe = {
  async run(port) {
    const answer = await port.call('ListTasks', {});
    const tasks = isObject(answer.result) ? objects(answer.result['tasks']) : [];
    return (
      unlessResult(answer) ??
      (tasks.length === 0 ? inconclusive(answer, sentence('The list has {0} tasks.', 0)) : judged('LIST-03', answer.exchange))
    );
  },
};
