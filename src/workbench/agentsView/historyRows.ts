import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { ShownState, taskStates } from '../../protocol/message/taskState.ts';
import type { ContextMaker, ContextSummary, TaskSummary } from '../../protocol/message/transcript.ts';
import type { ListFilter } from '../../store/lists/listFilter.ts';
import type { AgentNode, ContextNode, MakerNode, Node, PeriodNode, TaskNode } from './agentNodes.ts';
import { intersection, periods, rangeOf } from './periods.ts';
import type { TaskListFilter } from './taskFilter.ts';

/** Number of contexts or tasks that a list shows before "Load more…", and that each click adds. */
export const pageSize = 50;
/** Maximum number of contexts of a period that are searched for ones without tasks. */
const maxLoose = 200;
/** Maximum number that a group counts to. */
const maxCounted = 1_000;

/** Input for the rows of a list. */
export interface ListOptions {
  readonly contexts: AgentContexts;
  readonly narrowing: TaskListFilter;
  /** True if tasks are listed by the time of their last change, instead of under their contexts. */
  readonly byTime: boolean;
  /** Maximum number of rows in the list. */
  readonly limit: number;
  readonly now: number;
}

const waits = (state: ShownState): boolean => taskStates[state].class === 'interrupted';
const waitingStates = ShownState.options.filter(waits);
const otherStates = ShownState.options.filter(state => !waits(state));

/** The makers of what a row lists: of what waits for the person, which is listed first, and of the rest. */
function makersIn(parent: AgentNode | MakerNode): Readonly<Record<'waiting' | 'rest', readonly ContextMaker[]>> {
  if (parent.kind === 'agent') return { waiting: ['person', 'file'], rest: ['person'] };
  return { waiting: parent.madeBy === 'test' ? [] : [parent.madeBy], rest: [parent.madeBy] };
}

/** True for request files: the agent's own list has their waiting contexts. */
const isWaitingListedAbove = (parent: AgentNode | MakerNode): boolean => parent.kind === 'maker' && parent.madeBy === 'file';

/** The rows under an agent or one of its groups: what waits for the person, then contexts or periods. */
export function historyRows(parent: AgentNode | MakerNode, view: ListOptions): Node[] {
  return view.byTime ? [...waitingTasks(parent, view), ...periodRows(parent, view)] : contextRows(parent, view);
}

function contextRows(parent: AgentNode | MakerNode, view: ListOptions): Node[] {
  const nodes: Node[] = [];
  for (const context of listedContexts(parent, view)) {
    if (nodes.length === view.limit) return [...nodes, { kind: 'more', parent }];
    nodes.push({ kind: 'context', parent, context });
  }
  return nodes;
}

function* listedContexts(parent: AgentNode | MakerNode, { contexts, narrowing }: ListOptions): Generator<ContextSummary> {
  const makers = makersIn(parent);
  const agent = agentName(parent);
  const waiting = new Set<string>();
  const states = statesAmong(waitingStates, narrowing);
  if (states.length > 0) {
    for (const context of eachContext(contexts, { ...narrowing, states, agent, madeBy: makers.waiting })) {
      waiting.add(context.key);
      if (!isWaitingListedAbove(parent)) yield context;
    }
  }
  for (const context of eachContext(contexts, { ...narrowing, agent, madeBy: makers.rest })) if (!waiting.has(context.key)) yield context;
}

/** Contexts of an agent. Reads page after page, as far as they are asked for. */
export function* eachContext(contexts: AgentContexts, filter: ListFilter & { readonly agent: string }): Generator<ContextSummary> {
  let before: ContextSummary | undefined;
  do {
    const page = contexts.page({ ...filter, limit: pageSize, before });
    yield* page.items;
    before = page.more ? page.items.at(-1) : undefined;
  } while (before !== undefined);
}

const agentName = (parent: AgentNode | MakerNode): string => (parent.kind === 'agent' ? parent.name : parent.parent.name);

/** These states, as far as the filter shows them. */
const statesAmong = (states: readonly ShownState[], { states: shown }: TaskListFilter): readonly ShownState[] =>
  shown === undefined ? states : states.filter(state => shown.includes(state));

/** The groups of contexts that the person did not begin in a chat, without the empty ones. `hasMore`: the agent lists further tasks. */
export function makerRows(parent: AgentNode, { contexts, narrowing }: ListOptions, hasMore: boolean): MakerNode[] {
  const agent = parent.name;
  const waiting = statesAmong(waitingStates, narrowing);
  return (['file', 'agent', 'test'] as const).flatMap(madeBy => {
    const filter = { ...narrowing, agent, madeBy: [madeBy] };
    const all = contexts.count(filter, maxCounted);
    const inWait = waiting.length === 0 || madeBy === 'test' ? 0 : contexts.count({ ...filter, states: waiting }, maxCounted);
    // What waits in contexts of request files is listed above.
    const count = madeBy === 'file' ? all - inWait : all;
    const goesOn = all === maxCounted || (madeBy === 'agent' && hasMore);
    if (count === 0 && !goesOn) return [];
    return {
      kind: 'maker',
      parent,
      madeBy,
      count: `${count}${goesOn ? '+' : ''}`,
      waiting: madeBy === 'agent' ? inWait : 0,
      filtered: Object.keys(narrowing).length > 0,
    } satisfies MakerNode;
  });
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

/** Tasks that wait for the person, without their contexts: periods list the others. */
function waitingTasks(parent: AgentNode | MakerNode, { contexts, narrowing, limit }: ListOptions): Node[] {
  const madeBy = makersIn(parent).waiting;
  const states = statesAmong(waitingStates, narrowing);
  if (states.length === 0 || isWaitingListedAbove(parent)) return [];
  return taskPages(parent, contexts, { ...narrowing, states, agent: agentName(parent), madeBy }, limit);
}

/** The periods in which anything of the agent or the group last changed. */
function periodRows(parent: AgentNode | MakerNode, view: ListOptions): Node[] {
  return periods
    .map((period): PeriodNode => ({ kind: 'period', parent, period }))
    .filter(node => rowsOfPeriod(node, { ...view, limit: 1 }).length > 0);
}

/** The tasks that last changed in the period, then contexts without tasks. */
export function rowsOfPeriod(parent: PeriodNode, { contexts, narrowing, limit, now }: ListOptions): Node[] {
  const range = intersection(rangeOf(parent.period, now), narrowing);
  if (range === undefined) return [];
  const { parent: group } = parent;
  const isTest = group.kind === 'maker' && group.madeBy === 'test';
  const filter = { ...narrowing, ...range, agent: agentName(group), madeBy: makersIn(group).rest };
  const states = statesAmong(isTest ? ShownState.options : otherStates, narrowing);
  const nodes = states.length === 0 ? [] : taskPages(parent, contexts, { ...filter, states }, limit);
  if (narrowing.states !== undefined || nodes.at(-1)?.kind === 'more') return nodes;
  const loose = contexts.page({ ...filter, limit: maxLoose }).items.filter(({ tasks }) => tasks === 0);
  return [...nodes, ...loose.map((context): ContextNode => ({ kind: 'context', parent, context }))];
}

/** Tasks of all contexts, up to a limit that is a multiple of a page. */
function taskPages(parent: AgentNode | PeriodNode | MakerNode, contexts: AgentContexts, filter: ListFilter, limit: number): Node[] {
  const nodes: Node[] = [];
  const size = Math.min(pageSize, limit);
  for (let before: TaskSummary | undefined; ; ) {
    const page = contexts.history.tasks({ ...filter, before, limit: size + 1 });
    nodes.push(...page.slice(0, size).map((task): TaskNode => ({ kind: 'task', parent, task })));
    before = page[size - 1];
    if (page.length <= size || before === undefined) return nodes;
    if (nodes.length >= limit) return [...nodes, { kind: 'more', parent }];
  }
}

const pinnedFirst = (tasks: readonly TaskSummary[]): TaskSummary[] => [
  ...tasks.filter(({ pinned }) => pinned),
  ...tasks.filter(({ pinned }) => !pinned),
];
