import * as z from 'zod';
import type { Part } from '../../protocol/message/part.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';

/** Sent by the host to the page of a response each time that it changed. */
export interface ResponseView {
  /** Counts the responses of the page: another number is another response. */
  readonly response: number;
  /** Name of the request. */
  readonly title: string;
  /** More may come. */
  readonly running: boolean;
  /** Why its task is only polled, in sentences. */
  readonly polling?: string | undefined;
  /** One, or one for each row of data that the request was sent with. */
  readonly answers: readonly ShownAnswer[];
  /** Number of rows, messages and artifacts that are left out at the end. */
  readonly leftOut: number;
  /** Translations of the page's strings, by the English string; absent where the page has them. */
  readonly strings?: Readonly<Record<string, string>>;
}

/** The outcome of one sending. */
export interface ShownAnswer {
  /** The row of data that it was sent with. */
  readonly row?: string;
  readonly state?: TaskState;
  /** The error, translated. */
  readonly problem?: { readonly message: string; readonly nextStep?: string };
  /** Outcome of the request's expectations; absent where it has none, or none beside those that state and problem show. */
  readonly expectations?: ShownExpectations;
  readonly contents: readonly ShownContent[];
}

export interface ShownExpectations {
  /** Number of expectations that are checked. */
  readonly count: number;
  readonly failed: readonly FailedExpectation[];
  /** Number of failed ones that are left out at the end. */
  readonly leftOut: number;
}

/** Why an expectation does not hold, translated. */
export interface FailedExpectation {
  readonly message: string;
  /** Texts to hold against each other. */
  readonly expected?: string;
  readonly actual?: string;
}

/** A message or an artifact. */
export interface ShownContent {
  readonly kind: 'message' | 'artifact';
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly SentPart[];
  /** Number of parts that are left out at the end. */
  readonly leftOut: number;
}

/** A part on its way to the page. */
export type SentPart =
  /** `cut`: only the beginning of its text. */
  | { readonly is: 'part'; readonly part: Part; readonly cut?: true }
  /** Unchanged since the previous view of the same response. */
  | { readonly is: 'same' }
  /** Too large for the page; `bytes` is its size where that is known. */
  | { readonly is: 'large'; readonly filename?: string; readonly mediaType?: string; readonly bytes?: number };

const count = z.int().min(0);

/** Sent by the page to the host. */
export const ResponsePageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** The person wants to follow a link of the agent's. The host asks before anything happens. */
  z.object({ type: z.literal('openLink'), url: z.string().max(100_000) }),
  /** A part by the index of its content, counted over all answers, and its index in that. */
  z.object({ type: z.literal(['openPart', 'savePart']), response: count, content: count, part: count }),
]);
export type ResponsePageMessage = z.infer<typeof ResponsePageMessage>;
