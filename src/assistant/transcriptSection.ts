import type { AgentContext } from '../model/contexts/agentContext.ts';
import type { Entry } from '../protocol/message/transcript.ts';
import { bounds, paged } from './bounds.ts';
import { untrusted, type Section } from './result.ts';
import type { World } from './world.ts';

/**
 * The newest of these entries of a context that fit, oldest first, with what was left out.
 * @param hasOlder there are entries before these
 */
export function transcriptSections(
  { key, agentName }: Pick<AgentContext, 'key' | 'agentName'>,
  entries: readonly Entry[],
  hasOlder: boolean,
  { contexts: { history } }: World,
): readonly Section[] {
  const texts = history.entriesMarkdown(entries).map((text, index) => {
    const { seq } = entries[index]!;
    return `[entry ${seq}] ${paged(text.trim(), 0, bounds.piece, from => `a2a_history with "context": "${key}", "entry": ${seq}, "from": ${from}`)}`;
  });
  let first = texts.length;
  for (let length = 0; first > 0; first--) {
    length += texts[first - 1]!.length;
    if (length > bounds.transcript && first < texts.length) break;
  }
  const oldest = entries[first]?.seq;
  return [
    ...(texts.length === 0 ? ['No entries.'] : [untrusted(agentName, texts.slice(first).join('\n\n'))]),
    ...(oldest !== undefined && (hasOlder || first > 0)
      ? [`Older entries were left out: a2a_history with "context": "${key}", "before": ${oldest}.`]
      : []),
  ];
}
