import type { Message } from '../../../src/protocol/message/message.ts';
import type { Task } from '../../../src/protocol/message/task.ts';

/** A request and its answer as a document about the protocol prints them. */
export interface Printed {
  /** Generation of the agent that it is sent to. */
  readonly generation: string;
  /** Text of the `.a2a` file. */
  readonly file: string;
  /** What the agent gets, where that is not the text itself. */
  readonly sent?: string;
  /** Body of the answer: JSON, or the lines of a stream. */
  readonly answer: object | { readonly stream: string } | { readonly text: string };
  /** What a task that is looked up first is answered with. */
  readonly before?: object;
  /** What the answer is read into. Ids that no one gave are left out. */
  readonly task?: Task;
  readonly message?: Message;
  /** Code of the problem, where the answer is no result. */
  readonly problem?: string;
  /** Last result as it was on the wire, where it is nothing of core. */
  readonly value?: unknown;
  /** The same in core shape, as a request of the workbench gives it. */
  readonly coreValue?: unknown;
  /** Rules that the answer departs from. */
  readonly notes?: readonly string[];
}

/** Text of a file with a strict body, spaced as no serializer would. */
export const written = (body: object): string => JSON.stringify(body, null, 1).replaceAll(': ', '  : ');

/** Server-sent events as the documents print them: no space after the colon. */
export const streamOf = (...events: readonly object[]): { readonly stream: string } => ({
  stream: events.map(event => `data:${JSON.stringify(event)}\n\n`).join(''),
});
