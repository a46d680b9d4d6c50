import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { Problem, sentence } from '../../protocol/problem.ts';

/** How often an operation may stay without an answer before it is not asked for any more: each time takes as long as a time limit. */
const most = 2;
/** Operations that take as long as the work that each message begins. Others are silent or not, whatever the request is about. */
const works: ReadonlySet<string> = new Set(['SendMessage', 'SendStreamingMessage', 'SubscribeToTask']);

/** Which operations an agent left without an answer, so that a suite does not wait for them again with each rule. */
export class Silences {
  readonly #counts = new Map<string, number>();

  /** True if a call of the operation got no answer, since the last one that did. */
  has(operation: string, place: string): boolean {
    return this.#counts.has(`${operation} ${place}`);
  }

  /** @throws Problem `silent` for an operation that was asked for in vain before. @param place where it is asked for: binding and address */
  require(operation: string, place: string): void {
    if ((this.#counts.get(`${operation} ${place}`) ?? 0) >= most)
      throw new Problem('silent', sentence('{0} got no answer {1} times, so it was not sent again.', operation, most));
  }

  /** Records the result of a call: undefined for an answer. */
  record(operation: string, place: string, error?: unknown): void {
    const key = `${operation} ${place}`;
    if (error === undefined && works.has(operation)) this.#counts.delete(key);
    else if (error instanceof ConnectionProblem && error.code === 'timeout') this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}
