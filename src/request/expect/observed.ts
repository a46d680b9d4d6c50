import type { Finding } from '../../protocol/finding.ts';
import { textOf } from '../../protocol/part.ts';
import type { Problem } from '../../protocol/problem.ts';
import type { TaskState } from '../../protocol/taskState.ts';
import type { RequestResult } from '../requestResult.ts';

/** What came of a request, as expectations see it. Times are milliseconds since the epoch. */
export interface Observed extends RequestResult {
  readonly problem?: Problem;
  readonly startedAt: number;
  /** When the first event or the answer was there. */
  readonly firstEventAt?: number;
  readonly endedAt: number;
  /** The states of the task in the order in which the agent told them; one that it repeats counts once. */
  readonly states?: readonly TaskState[];
  /** Departures from the protocol that were noted while the answer was read. */
  readonly findings?: readonly Finding[];
}

/** Everything the agent said in text: each artifact, then the words of the status or the answer; a line break between them. */
export function textOfObserved({ task, message }: Observed): string {
  const said = [...(task?.artifacts ?? []), message ?? task?.status.message].map(holder => textOf(holder?.parts ?? []));
  return said.filter(text => text !== '').join('\n');
}
