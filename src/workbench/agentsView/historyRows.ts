import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { TaskSummary } from '../../protocol/message/transcript.ts';
import type { AgentNode, ContextNode, Node, PeriodNode, TaskNode, TestRunsNode } from './agentNodes.ts';
import { intersection, periods, rangeOf, type TimeRange } from './periods.ts';
import type { TaskListFilter } from './taskFilter.ts';

/** Number of contexts or tasks that a list shows before "Load more…", and that each click adds. */
export const pageSize = 50;
/** Maximum number of contexts of a period that are searched for ones without tasks. */
const maxLoose = 200;

/** Input for the rows of a list. */
export interface ListOptions {
  readonly contexts: AgentContexts;
  readonly narrowing: TaskListFilter;
  /** Maximum number of rows in the list. */
  readonly limit: number;
  readonly now: number;
}

/** The contexts of an agent, or those that tests created. Reads page after page until `limit` is reached. */
export function contextRows(parent: AgentNode | TestRunsNode, { contexts, narrowing, limit }: ListOptions): Node[] {
  const nodes: Node[] = [];
  const wanted = {
    ...narrowing,
    agent: parent.kind === 'agent' ? parent.name : parent.parent.name,
    testRuns: parent.kind === 'testRuns',
    limit: pageSize,
  };
  let page = contexts.page(wanted);
  for (;;) {
    nodes.push(...page.items.map((context): ContextNode => ({ kind: 'context', parent, context })));
    const last = page.items.at(-1);
    if (!page.more || last === undefined) return nodes;
    if (nodes.length >= limit) return [...nodes, { kind: 'more', parent }];
    page = contexts.page({ ...wanted, before: last });
  }
}

/** The group of the agent's contexts that tests created; empty if none matches the filter. */
export function testRunsRow(parent: AgentNode, { contexts, narrowing }: ListOptions): TestRunsNode[] {
  const [last] = contexts.page({ ...narrowing, agent: parent.name, testRuns: true, limit: 1 }).items;
  return last === undefined ? [] : [{ kind: 'testRuns', parent, updatedAt: last.updatedAt }];
}

/** The tasks of a context that match the filter, pinned ones first. */
export function taskRows(parent: ContextNode, { contexts, narrowing, limit }: ListOptions): Node[] {
  const { key } = parent.context;
  const row = (task: TaskSummary): TaskNode => ({ kind: 'task', parent, task });
  if (Object.keys(narrowing).length > 0) return pinnedFirst(contexts.history.tasksOf(key, narrowing)).map(row);
  const context = contexts.get(key);
  const tasks: TaskSummary[] = [];
  for (;;) {
    const page = context?.tasks({ before: tasks.at(-1)?.taskId, limit: pageSize + 1 }) ?? [];
    tasks.push(...page.slice(0, pageSize));
    const more = page.length > pageSize;
    if (!more || tasks.length >= limit) return [...pinnedFirst(tasks).map(row), ...(more ? [{ kind: 'more', parent } as const] : [])];
  }
}

/** The periods in which anything of the agent last changed. */
export function periodRows(parent: AgentNode, view: ListOptions): Node[] {
  return periods
    .map((period): PeriodNode => ({ kind: 'period', parent, period }))
    .filter(node => rowsOfPeriod(node, { ...view, limit: 1 }).length > 0);
}

/** The tasks that last changed in the period, then contexts without tasks. */
export function rowsOfPeriod(parent: PeriodNode, { contexts, narrowing, limit, now }: ListOptions): Node[] {
  const range = intersection(rangeOf(parent.period, now), narrowing);
  if (range === undefined) return [];
  const agent = parent.parent.name;
  const nodes: Node[] = [];
  for (let before: TaskSummary | undefined; ; ) {
    const size = Math.min(pageSize, limit);
    const page = contexts.history.tasks({ ...narrowing, ...range, agent, testRuns: false, before, limit: size + 1 });
    nodes.push(...page.slice(0, size).map((task): TaskNode => ({ kind: 'task', parent, task })));
    before = page[size - 1];
    if (page.length <= size || before === undefined) break;
    if (nodes.length >= limit) return [...nodes, { kind: 'more', parent }];
  }
  return narrowing.states === undefined ? [...nodes, ...looseContexts(parent, contexts, narrowing, range)] : nodes;
}

function looseContexts(parent: PeriodNode, contexts: AgentContexts, narrowing: TaskListFilter, range: TimeRange): ContextNode[] {
  return contexts
    .page({ ...narrowing, ...range, agent: parent.parent.name, testRuns: false, limit: maxLoose })
    .items.filter(({ tasks }) => tasks === 0)
    .map(context => ({ kind: 'context', parent, context }));
}

const pinnedFirst = (tasks: readonly TaskSummary[]): TaskSummary[] => [
  ...tasks.filter(({ pinned }) => pinned),
  ...tasks.filter(({ pinned }) => !pinned),
];
