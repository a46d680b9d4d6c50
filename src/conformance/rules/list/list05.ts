import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed, inconclusive, passed, tooFew, unlessResult } from '../rule/outcome.ts';
import type { ProbeAnswer, ProbePort, ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';

/** Most pages that are asked for. */
const maxPages = 20;

/** The verdict on all pages, one after the other. */
async function paged(port: ProbePort): Promise<ProbeResult> {
  const seen = new Map<string, number>();
  let pageToken: string | undefined;
  let answer: ProbeAnswer | undefined;
  for (let page = 0; page < maxPages; page++) {
    answer = await port.call('ListTasks', { pageSize: 2, ...(pageToken !== undefined && { pageToken }) });
    const refused = unlessResult(answer);
    if (refused !== undefined) return refused;
    const result = isObject(answer.result) ? answer.result : {};
    for (const [index, { id }] of objects(result['tasks'])) {
      // Of one without an id nothing can be said here.
      if (typeof id !== 'string') continue;
      const before = seen.get(id);
      if (before !== undefined)
        return failed(
          answer,
          sentence('Task {0} is on page {1} and on page {2}.', quoted(id), before + 1, page + 1),
          `${answer.pointer}/tasks/${index}/id`,
        );
      seen.set(id, page);
    }
    const next = result['nextPageToken'];
    if (typeof next !== 'string' || next === '') break;
    pageToken = next;
  }
  return seen.size < 3
    ? inconclusive(answer!, tooFew(seen.size, 3))
    : passed(answer!, sentence('Paging visited {0} tasks once.', seen.size));
}

export const rule: Rule = {
  id: 'LIST-05',
  level: 'MUST',
  title: 'Paging visits each task once',
  remedy: 'Make page tokens from the last task of the page, not from an offset, which moves when tasks are added.',
  clause: '3.1.4 List Tasks',
  versions: ['1.0'],
  needsTasks: true,
  kit: ['CORE-LIST-002'],
  probe: {
    async run(port) {
      const found = await paged(port);
      // A task that moves on meanwhile comes to the first page, and moves others to the next: what the agent does wrong it does again.
      return found.verdict === 'fail' ? paged(port) : found;
    },
  },
};
