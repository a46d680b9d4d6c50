import * as z from 'zod';
import { Expect } from '../expect/kinds.ts';
import { State } from '../expect/state.ts';

/** Longest pause: one day, in milliseconds. */
const maxMs = 24 * 60 * 60_000;
/** Most times that a request is repeated by itself. */
const maxTimes = 1_000;

const pause = (description: string) => z.int().min(0).max(maxMs).meta({ description });
const times = (description: string) => z.int().min(1).max(maxTimes).meta({ description });

const Retry = z.strictObject({
  times: times('How often it is sent again at most.'),
  on: z
    .array(z.union([z.int(), z.string().min(1)]))
    .min(1)
    .meta({
      description:
        'On which errors: `connection`, or errors as under `expect.error`, such as `429`, `-32603` or `UNAVAILABLE`. Left out: no connection, HTTP 429, 502, 503 and 504, gRPC `UNAVAILABLE` and `RESOURCE_EXHAUSTED`.',
    })
    .optional(),
  delay: pause('How long to wait before it is sent again, in milliseconds; left out, one second.').optional(),
  unsafe: z
    .boolean()
    .meta({ description: 'Also sends a message again that may have arrived, so that the agent may do its work twice.' })
    .optional(),
});

const Until = z.strictObject({
  expect: Expect.omit({ snapshot: true }).meta({ description: 'What must come of it, as under `expect`, but without `snapshot`.' }),
  times: times('How often it is sent at most; left out, 30 times.').optional(),
  delay: pause('How long to wait before it is sent again, in milliseconds; left out, one second.').optional(),
});

/** The value of `waitFor` that ends a request with the response to it. */
export const theResponse = 'response';

/** Keys that say when, how often and whether a request is sent. */
export const controlKeys = {
  description: z.string().meta({ description: 'What the request is for: shown with its name, in tests and in reports.' }),
  tags: z
    .array(z.string().regex(/^[^\s,!]+$/))
    .min(1)
    .meta({
      description: 'Words to choose requests by, such as `--tags smoke` in a terminal or `@a2a:smoke` in the Test Explorer.',
    }),
  skip: z.union([z.boolean(), z.string().min(1)]).meta({
    description:
      'Skips the request when all are sent: `true`, or the reason, which reports show. Requests that need it are skipped, too. You can still send it by itself.',
  }),
  only: z.boolean().meta({
    description:
      'When the whole file is sent, sends only requests with this, and those they need. `a2a run` says how many are left out, and refuses it in CI (`CI` is set) without `--allow-only`.',
  }),
  cleanup: z.boolean().meta({
    description: 'Sends the request last, even after failures or a stop. It is skipped if a request that it refers to has no result.',
  }),
  delay: pause('How long to wait before it is sent, in milliseconds; with `each` or `repeat` before each time.'),
  waitFor: z.union([z.literal(theResponse), State, z.array(State).min(1)]).meta({
    description:
      'Continues as soon as the task is in this state, or one of several, while the task keeps running; `expect` is checked at that moment. Fails if the task ends without reaching it. For messages and SubscribeToTask. `response`: sends a SendMessage as it is written, without `returnImmediately`, and ends with its response; the task is not asked for.',
  }),
  retry: z.union([times('How often it is sent again at most.'), Retry]).meta({
    description:
      'Sends the request again after an error, this many times: a number, or an object with `times`, `on`, `delay` and `unsafe`. A message is sent again only if it cannot have arrived, unless `unsafe` is true.',
  }),
  until: Until.meta({
    description:
      'Sends the request again until this holds, such as `{ "expect": { "state": "completed" }, "times": 10, "delay": 500 }`; fails if it does not hold after the last try. An error ends it, unless it is expected.',
  }),
} as const;

export interface RetryPlan {
  readonly times: number;
  readonly on?: readonly (number | string)[];
  readonly delayMs: number;
  readonly unsafe: boolean;
}

/** Reads the value of `retry`; undefined where it is none. */
export function readRetry(value: unknown): RetryPlan | undefined {
  if (typeof value === 'number') return { times: value, delayMs: standardDelayMs, unsafe: false };
  const read = Retry.safeParse(value);
  if (!read.success) return undefined;
  const { times: most, on, delay = standardDelayMs, unsafe = false } = read.data;
  return { times: most, ...(on !== undefined && { on }), delayMs: delay, unsafe };
}

export const standardDelayMs = 1_000;
export const standardTimes = 30;
