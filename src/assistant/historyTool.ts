import * as z from 'zod';
import type { ContextSummary } from '../protocol/message/transcript.ts';
import { sentence } from '../protocol/problem.ts';
import { withoutUndefined } from '../protocol/versions/shared/fields.ts';
import { bounds, paged } from './bounds.ts';
import { refusal } from './refusal.ts';
import { untrusted, type Section } from './result.ts';
import { agentNamed, contextOf, openLine } from './targets.ts';
import { defineTool } from './tool.ts';
import { transcriptSections } from './transcriptSection.ts';
import type { World } from './world.ts';

const Input = z.strictObject({
  query: z.string().max(1000).optional().describe('Words that must all occur in one entry.'),
  agent: z.string().optional().describe('Only this agent.'),
  context: z.string().optional().describe('Key of a context, from another result: its transcript.'),
  entry: z.int().optional().describe('One entry of the context, whole.'),
  from: z.int().min(0).optional().describe('Offset in the text of that entry.'),
  before: z.number().optional().describe('For older ones: the value that the result before gave.'),
});
type Input = z.infer<typeof Input>;

/** Most pages of a search that are read for one result: those of other agents are left out. */
const maxPages = 5;

/** Searches the history, lists contexts, or reads one. */
export const historyTool = defineTool({
  name: 'a2a_history',
  description:
    'The conversations (contexts) with the A2A agents of this workspace, also those of the person. With "query": entries with all the words. With "context": its transcript, with times, states, artifacts, problems and interruptions. Otherwise: the contexts, last used first. For the bytes of the protocol use a2a_wire; for the state of a task at the agent now, a2a_task.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Input,
  work: async (input, world) => {
    await world.consent.mayRead();
    const { query, context } = input;
    if (context !== undefined) return read(context, input, world);
    return query === undefined ? list(input, world) : search(query, input, world);
  },
});

function read(key: string, { entry, from = 0, before }: Input, world: World): readonly Section[] {
  const context = contextOf(key, world);
  const link = openLine({ agent: context.agentName, context: key }, world);
  if (entry === undefined) {
    const { items, more } = context.entries({ limit: bounds.entries, ...(before !== undefined && { before }) });
    return [...link, ...transcriptSections(context, items, more, world)];
  }
  const found = context.entry(entry);
  if (found === undefined) {
    throw refusal(sentence('This context has no entry {0}.', entry), sentence('Use the number of an entry from the transcript.'));
  }
  const [text = ''] = world.contexts.history.entriesMarkdown([found]);
  return [
    ...link,
    untrusted(
      context.agentName,
      paged(text.trim(), from, bounds.page, next => `the same with "from": ${next}`),
    ),
  ];
}

function search(query: string, { agent, before }: Input, world: World): readonly Section[] {
  const names = namesFor(agent, world);
  const { contexts, archive } = world;
  const hits = [];
  let next = before;
  let isComplete = true;
  for (let page = 0; page < maxPages && hits.length < bounds.hits && (page === 0 || next !== undefined); page++) {
    // The archive comes after the own contexts. Positions in it are negative.
    const inArchive = next !== undefined && next < 0;
    const found: ReturnType<typeof contexts.history.search> | undefined = (inArchive ? archive : contexts)?.history.search({
      text: query,
      limit: bounds.hits - hits.length,
      ...(agent !== undefined && { agent }),
      ...(next !== undefined && { before: Math.abs(next) }),
    });
    hits.push(...(found?.hits.filter(hit => names.has(hit.agent)) ?? []));
    next = found?.next;
    if (inArchive && next !== undefined) next = -next;
    else if (!inArchive && archive !== undefined) next ??= -Number.MAX_SAFE_INTEGER;
    isComplete &&= found?.complete !== false;
  }
  return [
    ...(hits.length === 0
      ? ['Nothing was found.']
      : [
          untrusted(
            [...new Set(hits.map(hit => hit.agent))],
            hits.map(({ snippet, at, seq, ...hit }) => ({ ...hit, entry: seq, at: new Date(at).toISOString(), text: snippet.text })),
          ),
        ]),
    ...(next === undefined ? [] : [`There may be older ones: the same with "before": ${next}.`]),
    ...(isComplete ? [] : ['Older entries are still being indexed: the same search may soon find more.']),
  ];
}

function list({ agent, before }: Input, world: World): readonly Section[] {
  const { contexts, archive } = world;
  const pages = [...namesFor(agent, world)].flatMap(name =>
    [contexts, archive].flatMap(
      each => each?.page({ agent: name, limit: bounds.contexts, ...(before !== undefined && { until: before }) }) ?? [],
    ),
  );
  // A page has the pinned ones first, however old: of an agent with more, nothing that is older than its page is shown yet.
  const edge = Math.max(0, ...pages.map(({ items, more }) => (more ? oldestOf(items) : 0)));
  const all = pages
    .flatMap(({ items }) => items)
    .filter(({ pinned, updatedAt }) => pinned === true || updatedAt >= edge)
    .sort((one, other) => other.updatedAt - one.updatedAt);
  const shown = all.slice(0, bounds.contexts);
  if (shown.length === 0) return ['There are no contexts.'];
  return [
    untrusted([...new Set(shown.map(each => each.agent))], shown.map(facts)),
    ...(all.length > shown.length || pages.some(({ more }) => more)
      ? [`There are older ones: the same with "before": ${oldestOf(shown)}.`]
      : []),
  ];
}

/** When the oldest that is not pinned was last changed. */
const oldestOf = (contexts: readonly ContextSummary[]): number =>
  Math.min(...contexts.flatMap(({ pinned, updatedAt }) => (pinned === true ? [] : updatedAt)), Date.now());

const facts = ({ key, agent, title, updatedAt, tasks, waiting, newestState, madeBy, contextId }: ContextSummary) =>
  withoutUndefined({
    context: key,
    agent,
    title,
    changed: new Date(updatedAt).toISOString(),
    tasks,
    waiting,
    newestState,
    // A model makes the person's, too: each message has who sent it.
    madeBy: madeBy === 'person' ? undefined : madeBy,
    contextId,
  });

const namesFor = (agent: string | undefined, world: World): ReadonlySet<string> =>
  new Set(agent === undefined ? world.agents.all.map(({ name }) => name) : [agentNamed(agent, world).name]);
