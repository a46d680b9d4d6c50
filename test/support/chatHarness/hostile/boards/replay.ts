import { wireEvent } from '../../../../../src/model/wire/wireLines.ts';
import type { Message } from '../../../../../src/protocol/message/message.ts';
import type { Entry } from '../../../../../src/protocol/message/transcript.ts';
import { snapshotOf, storyStart } from '../../story.ts';
import { exchangeOf } from '../../wire.ts';
import { answerKey, type Attack, type Board, eachSink } from '../board.ts';

const said = (text: string): Message => ({ messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] });

type Body = DistributiveOmit<Entry, 'seq' | 'at'>;
type DistributiveOmit<T, Name extends string> = T extends unknown ? Omit<T, Name> : never;

/** What an event of a stream that is stepped through puts into the conversation. */
const entries: Readonly<Record<string, (text: string) => Body>> = {
  'step: message': text => ({ kind: 'message', message: said(text) }),
  'step: status': text => ({ kind: 'status', state: 'TASK_STATE_FAILED', message: said(text) }),
  'step: artifact': text => ({ kind: 'artifact', complete: true, chunks: 1, artifact: { artifactId: 'a', name: text, parts: [{ text }] } }),
};

/** A stream of which each step is of one attack: on, back over it, and on again. */
export const replay: Board = {
  page: 'chat',
  batch: 10,
  steps: 40,
  sinks: Object.keys(entries),
  answers: { ready: { result: snapshotOf([]) }, older: { result: { entries: [], more: false } } },
  show(attacks, first) {
    const id = `r-${first}`;
    const { shown, summary } = exchangeOf(id);
    // The last tells nothing: a stream of one event is not stepped through.
    const events = Array.from({ length: attacks.length + 1 }, (_, seq) =>
      wireEvent({ seq, at: storyStart + seq, data: '{}' }, shown.exchange),
    );
    const told = attacks.map((attack, index) => putOf(attack, index, id));
    const answers = (from: number, to: number): unknown => ({ result: { updates: told.slice(from, to).flat(), first: 1 } });
    return {
      answers: {
        exchanges: { result: { exchanges: [{ ...summary, frames: events.length }], more: false } },
        exchange: { result: shown },
        wireEvents: { result: { events, more: false } },
        ...Object.fromEntries(
          attacks.flatMap((_, at) => [
            [answerKey('replay', { exchangeId: id, from: at, to: at + 1 }), answers(at, at + 1)],
            [answerKey('replay', { exchangeId: id, to: at }), answers(0, at)],
          ]),
        ),
      },
      messages: [],
      presses: [
        '#tab-chat',
        '#tab-wire',
        '.wire-drawn > .wire-row:nth-child(1)',
        '.wire-detail .codicon-play-circle',
        '#tab-chat',
        ...attacks.flatMap(() => ['.replay-bar .codicon-debug-step-over']),
        '.replay-bar .codicon-debug-step-back',
        '.replay-bar .codicon-debug-step-over',
      ],
      lastPresses: ['.replay-bar .codicon-close'],
    };
  },
};

/** The entries of one step; each status is of a task of its own, so that each is a line. */
function putOf(attack: Attack, index: number, exchangeId: string): readonly unknown[] {
  return eachSink(entries, attack).map((body, place) => ({
    type: 'put',
    entry: { exchangeId, ...body, taskId: `t-${index}-${place}`, seq: 1 + index * 3 + place, at: storyStart },
  }));
}
