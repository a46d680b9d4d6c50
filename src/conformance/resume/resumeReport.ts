import type { LocalizedMessage } from '../../protocol/problem.ts';

/**
 * How a stream went on after it was cut: the agent took a SubscribeToTask; it refused that, and GetTask was asked; it refused both; or the
 * stream was over before it could be cut.
 */
export type ResumedBy = 'subscribed' | 'asked' | 'refused' | 'uncut';

/**
 * The task of a client that was cut off, against that of one that was not: the same; less; something twice; something else; or no end within the
 * time limit.
 */
export type CutOutcome = 'same' | 'lost' | 'repeated' | 'differs' | 'never ended';

/** One stream that was cut. */
export interface CutResult {
  /** How many events had come when it was cut. */
  readonly after: number;
  readonly how: ResumedBy;
  readonly outcome: CutOutcome;
  readonly details?: LocalizedMessage;
}

/** The answer to a message whose id was sent before: about the task that it began then, about a second one, an error, or a message. */
export interface SentTwice {
  readonly outcome: 'same task' | 'second task' | 'refused' | 'message';
  readonly details?: LocalizedMessage;
}

/** Resilience of the agent over one interface: its streams are cut and taken up again, and a message is sent twice. */
export interface ResumeResult {
  /** Index among the interfaces of the report. */
  readonly interface: number;
  /** Why there is nothing to cut. */
  readonly obstacle?: LocalizedMessage;
  /** Why not all was tried. */
  readonly remark?: LocalizedMessage;
  /** Number of events of the run that was not cut. */
  readonly events: number;
  /** True where two runs that were not cut had the same outcome. Otherwise other content proves nothing. */
  readonly isSteady: boolean;
  readonly cuts: readonly CutResult[];
  readonly sentTwice?: SentTwice;
}

/** True where a client that was cut off has less in the end, or never has the end. */
export const hasLost = ({ outcome }: CutResult): boolean => outcome === 'lost' || outcome === 'never ended';
