import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { failed, inconclusive, notApplicable, passed, tooFew, unlessResult } from '../rule/outcome.ts';
import type { ProbePort, ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

/** Most pages that are asked for. */
const maxPages = 5;

/** The verdict on the sizes of the first pages. */
async function sized(port: ProbePort): Promise<ProbeResult> {
  let before: number | undefined;
  let pageToken: string | undefined;
  for (let page = 0; ; page++) {
    const answer = await port.call('ListTasks', { pageSize: 2, ...(pageToken !== undefined && { pageToken }) });
    const refused = unlessResult(answer);
    if (refused !== undefined) return refused;
    const { totalSize, nextPageToken, tasks } = isObject(answer.result) ? answer.result : {};
    if (typeof totalSize !== 'number') return notApplicable(sentence('The pages have no totalSize.'));
    if (before !== undefined && totalSize !== before)
      return failed(answer, sentence('totalSize is {0}; on the page before it was {1}.', totalSize, before), `${answer.pointer}/totalSize`);
    before = totalSize;
    const isLast = typeof nextPageToken !== 'string' || nextPageToken === '';
    if (page === 0 && isLast) return inconclusive(answer, tooFew(Array.isArray(tasks) ? tasks.length : 0, 3));
    if (isLast || page + 1 === maxPages) return passed(answer, sentence('totalSize is {0} on each of {1} pages.', totalSize, page + 1));
    pageToken = nextPageToken;
  }
}

export const rule: Rule = {
  id: 'LIST-07',
  level: 'tool',
  title: 'totalSize is the same on each page of a list',
  remedy: 'Write the number of all tasks that match the request on each page, not of those that are left.',
  clause: '3.1.4 List Tasks',
  versions: ['1.0'],
  needsTasks: true,
  whileReading: true,
  kit: [],
  probe: {
    async run(port) {
      const found = await sized(port);
      // A task that begins meanwhile makes the list longer: what the agent does wrong it does again.
      return found.verdict === 'fail' ? sized(port) : found;
    },
  },
};
