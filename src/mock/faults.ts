import { subjectTask } from '../protocol/message/operations.ts';
import { sentence, type LocalizedMessage } from '../protocol/problem.ts';
import type { ReceivedRequest, Step } from './script.ts';
import * as answers from './faultyAnswers.ts';

/** The number that a fault takes. */
export interface FaultValue {
  /** Its name where the fault is explained. */
  readonly unit: 'EVENT' | 'SECONDS' | 'BYTES' | 'STATUS';
  readonly min: number;
  readonly max: number;
  /** The first is the default; the others are offered as well. */
  readonly usual: readonly [number, ...number[]];
}

/** One way in which an agent misbehaves. */
export interface Fault {
  readonly about: LocalizedMessage;
  /** Undefined where there is nothing to choose. */
  readonly value?: FaultValue;
  /** Changes the answer to a message. */
  readonly answer?: answers.Alteration;
  /** The answer in place of the agent's, to any operation. */
  readonly refusal?: (request: ReceivedRequest, memory: answers.FaultMemory, value: number) => readonly Step[] | undefined;
  readonly card?: (card: unknown) => unknown;
}

const event = (first: number, usual = first === 0 ? 2 : first): FaultValue => ({ unit: 'EVENT', min: first, max: 10_000, usual: [usual] });
/** The usual numbers are just over 5, 60 and 300 seconds, after which clients and proxies give up. */
const seconds: FaultValue = { unit: 'SECONDS', min: 0, max: 3_600, usual: [6, 65, 305] };

const rows = {
  cut: {
    about: sentence('The connection breaks after this event; 0 means before the first byte.'),
    value: { ...event(0), usual: [2, 0] },
    answer: answers.cut,
  },
  delay: { about: sentence('The answer begins after this time.'), value: seconds, answer: answers.delay },
  pause: { about: sentence('The stream is silent for this time after the first event.'), value: seconds, answer: answers.pause },
  drip: {
    about: sentence('The answer is sent slowly: this many bytes, ten times a second.'),
    value: { unit: 'BYTES', min: 1, max: 65_536, usual: [16, 1, 256] },
    answer: answers.drip,
  },
  duplicate: { about: sentence('This event is sent twice.'), value: event(1, 2), answer: answers.duplicate },
  reorder: { about: sentence('This event is sent after the next one.'), value: event(1, 2), answer: answers.reorder },
  'half-frame': {
    about: sentence('The connection breaks in the middle of this event.'),
    value: event(1, 2),
    answer: answers.halfFrame,
  },
  status: {
    about: sentence('Every request is refused with this HTTP status and Retry-After: 2.'),
    value: { unit: 'STATUS', min: 400, max: 599, usual: [503, 429, 500] },
    refusal: (_, __, status) => [
      { status, headers: { 'content-type': 'text/plain', 'retry-after': '2' } },
      { raw: 'This agent was told to refuse requests.' },
    ],
  },
  'content-type': { about: sentence('The answer has the content type text/html.'), answer: answers.contentType },
  'end-twice': { about: sentence('After its end, the task ends again in another state.'), answer: answers.endTwice },
  'no-end': { about: sentence('The end of the task is never sent, and the connection stays open.'), answer: answers.noEnd },
  restart: {
    about: sentence('The connection breaks after this event, and the agent no longer has the task.'),
    value: event(0),
    answer: answers.restart,
    refusal: ({ params }, { lost }) => {
      const id = params === undefined ? undefined : 'message' in params ? params.message.taskId : subjectTask(params);
      return id !== undefined && lost.has(id) ? [{ error: { code: -32001, message: 'Task not found' } }] : undefined;
    },
  },
  'last-chunk-replaces': {
    about: sentence('The last chunk of an artifact has append: false, which replaces the text before it.'),
    answer: answers.lastChunkReplaces,
  },
  'repeat-text': {
    about: sentence('At the end, the whole text of an artifact is appended to it again.'),
    answer: answers.repeatText,
  },
  'other-task': { about: sentence('From this event on, events belong to another task.'), value: event(1, 2), answer: answers.otherTask },
  'open-after-question': {
    about: sentence('The stream stays open after the task asks for input.'),
    answer: answers.openAfterQuestion,
  },
  'expired-token': {
    about: sentence('The connection breaks after this event; requests with the same credentials are then refused with HTTP 401.'),
    value: event(0),
    answer: answers.expiredToken,
    refusal: ({ headers }, { expired }) =>
      expired.has(headers.authorization ?? '')
        ? [
            {
              status: 401,
              headers: {
                'content-type': 'text/plain',
                'www-authenticate': 'Bearer error="invalid_token", error_description="The access token expired"',
              },
            },
            { raw: 'The access token expired.' },
          ]
        : undefined,
  },
  'unspecified-host': {
    about: sentence('The agent card has the host [::], an address to listen on and not to connect to.'),
    card: card => JSON.parse(JSON.stringify(card).replaceAll('127.0.0.1:', '[::]:')) as unknown,
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof rows;

/** Ways in which a played, mock or sample agent misbehaves. To add one, add a row, and the test in `faults.test.ts`. */
export const faults: Readonly<Record<FaultName, Fault>> = rows;
export const faultNames = Object.keys(rows) as readonly FaultName[];
