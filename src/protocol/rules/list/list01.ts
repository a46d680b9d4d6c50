import { isObject } from '../../json.ts';
import { sentence } from '../../problem.ts';
import { judged, unlessResult } from '../rule/outcome.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'A page of tasks has nextPageToken, pageSize and totalSize',
  section: '3.1.4',
  versions: ['1.0'],
  passive: true,
  active: true,
  kit: ['CORE-LIST-004'],
};

export const passive: PassiveCheck = {
  answer({ operation, binding, result, pointer }, note) {
    // In ProtoJSON of gRPC a member with its default value cannot be told from one that is missing.
    if (operation !== 'ListTasks' || binding === 'GRPC' || !isObject(result)) return;
    if (typeof result['nextPageToken'] !== 'string') note(pointer, sentence('{0} is missing.', 'nextPageToken'));
    for (const name of ['pageSize', 'totalSize']) {
      if (typeof result[name] !== 'number') note(pointer, sentence('{0} is missing.', name));
    }
  },
};

export const probe: Probe = {
  async run(port) {
    const answer = await port.call('ListTasks', {});
    return unlessResult(answer) ?? judged('LIST-01', answer.exchange);
  },
};
