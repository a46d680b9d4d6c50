import { isObject } from '../../../protocol/json.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed } from '../rule/outcome.ts';
import type { Fields } from '../rule/passiveCheck.ts';
import type { ProbeEvent, ProbePort, ProbeResult } from '../rule/probe.ts';
import { reportedId } from '../rule/reportedState.ts';
import { objects } from '../rule/values.ts';

/** The text of a message, an artifact or a piece of one; undefined where it is not text alone. */
export function textIn({ content, parts = content }: Fields): string | undefined {
  const texts = objects(parts).map(([, { text }]) => text);
  return texts.every(text => typeof text === 'string') ? texts.join('') : undefined;
}

/** The texts that events bring piece by piece, by artifact; undefined for one that they replace, as agents do that leave out `append`. */
export function streamedTexts(events: readonly ProbeEvent[]): ReadonlyMap<unknown, string | undefined> {
  const texts = new Map<unknown, string | undefined>();
  for (const { result } of events) {
    const members = isObject(result) ? result : {};
    // Over JSON-RPC an event of 0.3 is the task or the update itself.
    const { task = members, artifactUpdate: update = members } = members;
    if (isObject(task)) for (const [, artifact] of objects(task['artifacts'])) texts.set(artifact['artifactId'], textIn(artifact));
    if (!isObject(update) || !isObject(update['artifact'])) continue;
    const id = update['artifact']['artifactId'];
    const before = update['append'] === true ? texts.get(id) : texts.has(id) ? undefined : '';
    const piece = textIn(update['artifact']);
    texts.set(id, before === undefined || piece === undefined ? undefined : before + piece);
  }
  return texts;
}

/**
 * The failure where a stream that ended with its task lacks text that GetTask returns, or has other text; else undefined. The agent may not
 * have stored yet what the stream has beyond that.
 */
export async function unlessWhole(port: ProbePort, events: readonly ProbeEvent[]): Promise<ProbeResult | undefined> {
  const id = reportedId(events[0]?.result, 'taskId');
  const texts = streamedTexts(events);
  if (id === undefined || texts.size === 0) return undefined;
  const answer = await port.call('GetTask', { id }).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    return undefined;
  });
  if (!isObject(answer?.result)) return undefined;
  for (const [index, artifact] of objects(answer.result['artifacts'])) {
    const [streamed, kept] = [texts.get(artifact['artifactId']), textIn(artifact)];
    if (streamed !== undefined && kept !== undefined && !streamed.startsWith(kept))
      return failed(
        answer,
        sentence('Artifact {0} is {1}, but its stream added up to {2}.', quoted(artifact['artifactId']), quoted(kept), quoted(streamed)),
        `${answer.pointer}/artifacts/${index}`,
      );
  }
  return undefined;
}
