import { isTerminal, readTaskState, type TaskState } from '../../../protocol/message/taskState.ts';
import { sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import { isObject } from '../../../protocol/json.ts';
import { failed, judged, notApplicable } from '../rule/outcome.ts';
import type { ProbeEvent, ProbeResult } from '../rule/probe.ts';
import { reportedState, reportedStatus } from '../rule/reportedState.ts';
import type { Rule } from '../rule/rule.ts';
import { notReported, withStream } from '../rule/streamed.ts';
import { unlessStreaming } from '../rule/unless.ts';
import { streamedTexts, textIn } from './streamedTexts.ts';

/** True for two texts that differ; of what is not text alone, or not there, nothing is known. */
const differ = (one: string | undefined, other: string | undefined): boolean => one !== undefined && other !== undefined && one !== other;

/** The text of the message in a status. */
function wordsIn({ result }: ProbeEvent): string | undefined {
  const message = reportedStatus(result)?.['message'];
  return isObject(message) ? textIn(message) : undefined;
}

/** True if an artifact of an event has another text than the events before it gave it. */
function hasOtherArtifact(event: ProbeEvent, before: readonly ProbeEvent[]): boolean {
  const known = streamedTexts(before);
  return [...streamedTexts([event])].some(([id, text]) => differ(text, known.get(id)));
}

export const rule: Rule = {
  id: 'STRM-11',
  level: 'MUST',
  title: 'A task ends once, and no error follows',
  remedy: 'Set the terminal state of a task once, and guard the store against later changes.',
  clause: '3.1.2 Send Streaming Message',
  clause0_3: '7.2.2 TaskStatusUpdateEvent Object',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  startsWork: true,
  kit: [],
  probe: {
    unless: unlessStreaming,
    run: port =>
      withStream(port, 'task', stream => {
        const { exchange, own: events, state: last } = stream;
        const found = judged('STRM-11', exchange);
        if (found.verdict !== 'pass') return found;
        if (last === undefined) return notApplicable(sentence('The agent answers with messages, and the rule is about tasks.'));
        let end: TaskState | undefined;
        let words: string | undefined;
        for (const [index, event] of events.entries()) {
          const state = readTaskState(reportedState(event.result));
          if (state === undefined || !isTerminal(state)) continue;
          const wrong = (why: LocalizedMessage): ProbeResult => ({ ...failed({ exchange }, why), frame: event.frame.seq });
          if (end !== undefined && state !== end) return wrong(sentence('The task reached {0} after {1}.', state, end));
          // The end may come once more (A2A 1.0 §11.7), also with words that the first one lacks.
          const said = wordsIn(event);
          if (end !== undefined && (differ(said, words) || hasOtherArtifact(event, events.slice(0, index))))
            return wrong(sentence('The task reached {0} twice, the second time with other content.', state));
          end = state;
          words ??= said;
        }
        return end === undefined ? notReported(stream) : found;
      }),
  },
};
