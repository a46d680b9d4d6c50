import * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { readTaskState, taskStates } from '../../protocol/message/taskState.ts';
import { brief, kindOf, shown, type Check } from './check.ts';
import { Matcher, mismatches } from './matcher.ts';
import { chosenStates, WantedState } from './state.ts';
import type { ObservedEvent } from './observed.ts';
import { timeFaults, WantedMs, type TimeWords } from './times.ts';

const ms = (description: string) => WantedMs.meta({ description });

/** An item of `events`. */
export const EventExpectation = z
  .strictObject({
    type: z.enum(['status', 'artifact', 'message']).meta({ description: 'Kind of event.' }).optional(),
    state: WantedState.meta({
      description: 'The state that the event sets, such as `working`; a list of alternatives or a matcher, as under `expect.state`.',
    }).optional(),
    artifact: z.string().meta({ description: 'Name of the artifact in the event.' }).optional(),
    append: z.boolean().meta({ description: 'Whether the event appends to an earlier artifact.' }).optional(),
    last: z.boolean().meta({ description: 'Whether this is the last chunk of the artifact.' }).optional(),
    text: z
      .union([z.string().min(1), Matcher])
      .meta({ description: 'Text that the event contains, or a matcher for its text (of which the first 2,000 characters are kept).' })
      .optional(),
    withinMs: ms(
      'Longest time from sending the request to this event, in milliseconds, or a matcher of numbers, such as `{ "lt": 500 }`.',
    ).optional(),
    afterMs: ms(
      'Shortest time from sending the request to this event, in milliseconds, or a matcher of numbers, such as `{ "gt": 100 }`.',
    ).optional(),
    gapMs: ms(
      'Longest time since the previous event in this list, in milliseconds, or a matcher of numbers; for the first one, since sending.',
    ).optional(),
  })
  .meta({ description: 'An event that must come after the one before it in this list; others may come between them.' });
type Wanted = z.infer<typeof EventExpectation>;

const All = z.strictObject({
  inOrder: z
    .array(EventExpectation)
    .min(1)
    .meta({ description: 'Events that must come one after another; others may come between them.' })
    .optional(),
  min: z.int().min(0).meta({ description: 'How many events come at least.' }).optional(),
  max: z.int().min(0).meta({ description: 'How many events come at most.' }).optional(),
  maxGapMs: ms('Longest time between two events, and until the first one, in milliseconds, or a matcher of numbers.').optional(),
});

/** Events of the answer, their order and times. */
export const events = kindOf(
  z.union([z.array(EventExpectation).min(1), All]).meta({
    description:
      'Events in order: changes of the state, artifacts and their parts, and messages, as a stream or an answer brings them. A list, or an object with `inOrder`, `min`, `max` and `maxGapMs`.',
  }),
  (wanted, { events: told = [], startedAt }): Check[] => {
    const { inOrder = [], min, max, maxGapMs } = Array.isArray(wanted) ? { inOrder: wanted } : wanted;
    const base = Array.isArray(wanted) ? [] : ['inOrder'];
    const checks: Check[] = [];
    const actual = listed(told, startedAt);
    const fail = (path: Check['path'], message: LocalizedMessage, expected: string): void =>
      void checks.push({ path, failure: { message, expected, actual } });
    let next = 0;
    let before = startedAt;
    for (const [index, one] of inOrder.entries()) {
      const at = told.findIndex((event, position) => position >= next && isLike(event, one));
      const path = [...base, index];
      const event = told[at];
      if (event === undefined) {
        const early = told.slice(0, next).some(other => isLike(other, one));
        fail(
          path,
          early
            ? sentence('No event matches {0} after those before it in the list; an earlier one does.', brief(one))
            : sentence('No event matches {0}.', brief(one)),
          shown(inOrder.map(inWords).join('\n')),
        );
        break;
      }
      const late = lateness(one, event.at - startedAt, event.at - before);
      if (late.length === 0) checks.push({ path });
      for (const { failure } of late) fail(path, failure.message, inWords(one));
      next = at + 1;
      before = event.at;
    }
    if (min !== undefined && told.length < min)
      fail(['min'], sentence('{0} events arrived, fewer than {1}.', told.length, min), `≥ ${min}`);
    if (max !== undefined && told.length > max) fail(['max'], sentence('{0} events arrived, more than {1}.', told.length, max), `≤ ${max}`);
    const gap = longestGap(told, startedAt);
    if (maxGapMs !== undefined) {
      if (gap === undefined) fail(['maxGapMs'], sentence('No event arrived.'), isObject(maxGapMs) ? brief(maxGapMs) : `≤ ${maxGapMs} ms`);
      else
        for (const { path, failure } of timeFaults(maxGapMs, gap, between))
          fail(['maxGapMs', ...path], failure.message, failure.expected ?? '');
    }
    return checks.length > 0 ? checks : [{ path: [] }];
  },
  wanted => isObject(wanted) && wanted['max'] !== undefined,
);

const labelOf = (state: string): string => taskStates[readTaskState(state) ?? 'TASK_STATE_UNSPECIFIED'].label;

function isLike(event: ObservedEvent, wanted: Wanted): boolean {
  const { type, state, artifact, append, last, text } = wanted;
  return (
    (type === undefined || event.type === type) &&
    (state === undefined || (event.state !== undefined && chosenStates(state, event.state).every(({ holds }) => holds))) &&
    (artifact === undefined || event.artifact === artifact) &&
    (append === undefined || (event.type === 'artifact' && (event.append ?? false) === append)) &&
    (last === undefined || (event.type === 'artifact' && (event.last ?? false) === last)) &&
    (text === undefined || hasText(event.text ?? '', text))
  );
}

const hasText = (said: string, wanted: string | Readonly<Record<string, unknown>>): boolean =>
  typeof wanted === 'string' ? said.includes(wanted) : mismatches(wanted, said, said !== '').length === 0;

const sooner: TimeWords = {
  sign: '≤',
  limit: (after, most) => sentence('The event arrived after {0} ms, later than {1} ms.', after, most),
  matcher: (after, what) => sentence('The event arrived after {0} ms, which {1}.', after, what),
};
const later: TimeWords = {
  ...sooner,
  sign: '≥',
  limit: (after, least) => sentence('The event arrived after {0} ms, sooner than {1} ms.', after, least),
};
const behind: TimeWords = {
  sign: '≤',
  limit: (gap, most) => sentence('The event arrived {0} ms after the previous one, more than {1} ms.', gap, most),
  matcher: (gap, what) => sentence('The event arrived {0} ms after the previous one, which {1}.', gap, what),
};
const between: TimeWords = {
  sign: '≤',
  limit: (gap, most) => sentence('Two events were {0} ms apart, more than {1} ms.', gap, most),
  matcher: (gap, what) => sentence('The longest time between two events was {0} ms, which {1}.', gap, what),
};

const lateness = ({ withinMs, afterMs, gapMs }: Wanted, since: number, gap: number): readonly Required<Check>[] => [
  ...(withinMs === undefined ? [] : timeFaults(withinMs, since, sooner)),
  ...(afterMs === undefined ? [] : timeFaults(afterMs, since, later)),
  ...(gapMs === undefined ? [] : timeFaults(gapMs, gap, behind)),
];

function longestGap(told: readonly ObservedEvent[], startedAt: number): number | undefined {
  let longest: number | undefined;
  let before = startedAt;
  for (const { at } of told) {
    longest = Math.max(longest ?? 0, at - before);
    before = at;
  }
  return longest;
}

/** An expected event, in a line. */
const inWords = (wanted: Wanted): string => JSON.stringify(wanted).slice(1, -1).replaceAll('"', '').replaceAll(',', ', ');

/** One line for each event, of at most so many. */
const maxLines = 200;

function listed(told: readonly ObservedEvent[], startedAt: number): string {
  const lines = told
    .slice(0, maxLines)
    .map(({ at, type, state, artifact, append, last, text }) =>
      [
        `${Math.round(at - startedAt)} ms`,
        type,
        state && labelOf(state),
        artifact,
        append === true && 'append',
        last === true && 'last',
        text && brief(text, 60),
      ]
        .filter(Boolean)
        .join(' '),
    );
  return [...lines, ...(told.length > maxLines ? ['…'] : [])].join('\n') || '–';
}
