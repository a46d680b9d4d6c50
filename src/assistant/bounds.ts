/** How much of each thing one result has, so that it fits into the context of a model. Lengths are in UTF-16 code units. */
export const bounds = {
  /** One section of a result: a last bound beside the others. */
  result: 60_000,
  /** One page of a long text: a card, a body, an event, an entry that is asked for by itself. */
  page: 20_000,
  /** One entry of a transcript, and a body or an event within an exchange. */
  piece: 4_000,
  /** Entries of a transcript together. */
  transcript: 24_000,
  entries: 40,
  contexts: 50,
  hits: 20,
  exchanges: 50,
  events: 50,
  findings: 50,
  agents: 100,
  /** The name of an agent in the list, outside of what is marked as the agent's text. */
  name: 200,
  verdicts: 60,
  /** The text of one answer, and of one expectation, among many. */
  answer: 1_000,
  /** Requests of a file. */
  outcomes: 100,
} as const;

/**
 * A page of a text from an offset on, in code units, with what was left out.
 * @param further how the rest is asked for from an offset on
 */
export function paged(text: string, from: number, length: number, further: (from: number) => string): string {
  const page = text.slice(from, from + length).toWellFormed();
  const end = from + page.length;
  return end < text.length ? `${page}\n… ${text.length - end} of ${text.length} characters left out: ${further(end)}` : page;
}
