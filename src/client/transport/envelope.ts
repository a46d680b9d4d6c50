import type { Note } from '../../protocol/finding.ts';
import type { RuleId } from '../../protocol/rules/index.ts';

/** What a binding puts around results. */
export interface Envelope {
  readonly rules: {
    /** Of the media types of answers. */
    readonly mediaType: RuleId;
    /** Of what an answer or the data of an event is. */
    readonly form: RuleId;
  };
  /**
   * The result inside the JSON of an answer, or of an event of a stream.
   * @throws A2AError, Problem when it is an error of any shape.
   */
  open(answer: unknown, status: number, note: Note): unknown;
  /** True where an answer is a result whatever its HTTP status says. */
  holdsResult(answer: unknown): boolean;
}
