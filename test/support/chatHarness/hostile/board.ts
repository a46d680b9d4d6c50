import type { PageName } from '../page.ts';

/** An attack, made for each place it is inserted, so that its effect identifies the place. */
export type Attack = (sink: string) => string;

/** Messages sent to the page together, and the element pressed afterwards. */
export interface Step {
  /** What the host answers from now on: by the name of the request, or by its name and parameters (`answerKey`). */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Messages of the host, in order. */
  readonly messages: readonly unknown[];
  /** Selectors; everything that fits is pressed, one selector after the other. */
  readonly presses: readonly string[];
  /** Also look after each press: what it shows is gone with the next. */
  readonly eachLooked?: true;
  /** Pressed when all has been looked at, so that the next step begins anew. */
  readonly lastPresses?: readonly string[];
}

/** A part of the pages in which agents' words are shown. A place of it is a row of its table. */
export interface Board {
  readonly page: PageName;
  readonly sinks: readonly string[];
  /** Attacks that are on show at the same time. */
  readonly batch: number;
  /** Steps until the page is loaded anew. */
  readonly steps: number;
  /** What the host answers from the start. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Shows these attacks in all sinks; `first` is the number of the first of them. */
  show(attacks: readonly Attack[], first: number): Step;
}

/** The key of an answer to one request with these parameters. */
export const answerKey = (name: string, params: unknown): string => `${name} ${JSON.stringify(params)}`;

/** Every row of a table, with the attack written for it. */
export function eachSink<Made>(table: Readonly<Record<string, (text: string, index: number) => Made>>, attack: Attack): Made[] {
  return Object.entries(table).map(([sink, make], index) => make(attack(sink), index));
}
