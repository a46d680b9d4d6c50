import * as z from 'zod';
import { artifacts } from './artifacts.ts';
import type { ExpectationKind } from './check.ts';
import { data } from './data.ts';
import { error } from './error.ts';
import { events } from './events.ts';
import { findings } from './findings.ts';
import { headers, status } from './http.ts';
import { paths } from './paths.ts';
import { snapshot } from './snapshot.ts';
import { state, states } from './state.ts';
import { text } from './text.ts';
import { firstEventMs, totalMs } from './times.ts';

/**
 * The kinds of expectations in `expect`. Adding a kind is adding a row.
 *
 * To add one: `<kind>.ts` (`textOfObserved` is "the answer" in text, `mayTurn` says whether it can hold and then no longer), a row here,
 * rows of `expect.test.ts`, then `A2A_WRITE=1 npm test -- unit --grep manual`. Schema and completion follow.
 */
export const kinds = {
  state,
  states,
  events,
  artifacts,
  text,
  paths,
  data,
  error,
  status,
  headers,
  firstEventMs,
  totalMs,
  findings,
  snapshot,
} as const satisfies Readonly<Record<string, ExpectationKind>>;

export type Kind = keyof typeof kinds;

/** The value of the key `expect`, its templates filled in. */
export const Expect = z.strictObject(
  Object.fromEntries(Object.entries(kinds).map(([kind, { schema }]) => [kind, schema.optional()])) as Record<
    Kind,
    z.ZodOptional<z.ZodType>
  >,
);
