import type { Note } from '../../protocol/finding.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { isActive, isTerminal, taskStates, type TaskState } from '../../protocol/message/taskState.ts';
import { sentence } from '../../protocol/problem.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { stateIn } from './streamEnd.ts';

/** The check of `final` in the events of one stream. */
interface FinalUpdates {
  /** @param result that the events were read from */
  take(result: unknown, events: readonly StreamResponse[], note: Note): void;
  /** The agent has ended the stream. */
  end(note: Note): void;
}

/** Checks that `final` marks the last status update of a stream, and no other (0.3 §7.2.2). A missing one is DATA-01's. */
export function finalUpdates({ finalIn }: Version): FinalUpdates | undefined {
  if (finalIn === undefined) return undefined;
  let last: { readonly isFinal: boolean; readonly state: TaskState } | undefined;
  return {
    take(result, events, note) {
      // After the end of a task the fold finds it.
      if (last?.isFinal === true && !isTerminal(last.state))
        note('STRM-12', '', sentence('An event follows the status update with final: true, which should be the last one.'));
      const [isFinal, state] = [finalIn(result), events.map(stateIn).at(-1)];
      if (isFinal !== undefined && state !== undefined) last = { isFinal, state };
    },
    end(note) {
      if (last !== undefined && !last.isFinal && !isActive(last.state))
        note(
          'STRM-12',
          '',
          sentence('The stream ended after {0}, but final of its last status update is not true.', taskStates[last.state].label),
        );
    },
  };
}
