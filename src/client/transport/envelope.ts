import type { Note } from '../../protocol/finding.ts';
import type { RuleId } from '../../protocol/ruleId.ts';

/** How a binding wraps results. */
export interface Envelope {
  readonly rules: {
    /** Rule for the media types of answers. */
    readonly mediaType: RuleId;
    /** Rule for the shape of an answer or of an event's data. */
    readonly form: RuleId;
  };
  /**
   * Takes the result out of the JSON of an answer or an event.
   * @throws A2AError, Problem when it is an error of any shape
   */
  open(answer: unknown, status: number, note: Note): unknown;
  /** Set where an answer may have no body, which is then the result `{}`. */
  readonly mayBeEmpty?: boolean;
  /** True for an answer with neither a result nor an error, of which nothing is read. Left out where the answer itself is the result. */
  lacksResult?(answer: unknown): boolean;
  /** True where an answer is a result whatever its HTTP status is. */
  holdsResult(answer: unknown): boolean;
}
