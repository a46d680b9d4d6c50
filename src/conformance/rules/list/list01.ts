import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { numberIn } from '../rule/answeredTask.ts';
import { judged, unlessResult } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

/** Most tasks of a page where no pageSize is asked for. */
const defaultPageSize = 50;

export const rule: Rule = {
  id: 'LIST-01',
  level: 'MUST',
  title: 'A page of tasks has nextPageToken, pageSize and totalSize, and no more tasks than requested',
  remedy:
    'Cut pages to pageSize, and write nextPageToken (empty on the last page), pageSize and totalSize (of all pages together) with each.',
  clause: '3.1.4 List Tasks',
  versions: ['1.0'],
  needsTasks: true,
  kit: ['CORE-LIST-004'],
  passive: {
    answer({ operation, binding, params, result, pointer }, note) {
      if (operation !== 'ListTasks' || !isObject(result)) return;
      const { tasks, totalSize, nextPageToken } = result;
      const count = Array.isArray(tasks) ? tasks.length : 0;
      const least = Array.isArray(tasks) ? new Set(tasks.map(task => (isObject(task) ? task['id'] : task))).size : 0;
      const wanted = numberIn(params, 'pageSize') ?? defaultPageSize;
      if (count > wanted) note(`${pointer}/tasks`, sentence('The page has {0} tasks; at most {1} were requested.', count, wanted));
      // The last page alone has an empty token.
      const goesOn = typeof nextPageToken === 'string' && nextPageToken !== '';
      if (typeof totalSize === 'number' && totalSize < least)
        note(`${pointer}/totalSize`, sentence('totalSize is {0}; there are at least {1} tasks.', totalSize, least));
      else if (typeof totalSize === 'number' && totalSize === least && goesOn)
        note(
          `${pointer}/totalSize`,
          sentence('totalSize is {0}, which this page has already, and nextPageToken names another page.', totalSize),
        );
      // In ProtoJSON of gRPC a member with its default value looks like one that is missing.
      if (binding === 'GRPC') return;
      if (typeof result['nextPageToken'] !== 'string') note(pointer, sentence('{0} is missing.', 'nextPageToken'));
      for (const name of ['pageSize', 'totalSize']) {
        if (typeof result[name] !== 'number') note(pointer, sentence('{0} is missing.', name));
      }
    },
  },
  probe: {
    async run(port) {
      const answer = await port.call('ListTasks', {});
      const found = unlessResult(answer) ?? judged('LIST-01', answer.exchange);
      if (found.verdict !== 'pass') return found;
      const short = await port.call('ListTasks', { pageSize: 1 });
      return unlessResult(short) ?? judged('LIST-01', short.exchange);
    },
  },
};
