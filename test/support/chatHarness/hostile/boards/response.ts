import type { ResponseView, SentPart, ShownAnswer, ShownContent } from '../../../../../src/chat/host/responseMessages.ts';
import type { TaskState } from '../../../../../src/protocol/message/taskState.ts';
import { type Attack, type Board, eachSink } from '../board.ts';
import { parts as anywhere } from './transcript.ts';

const parts: Readonly<Record<string, (text: string) => SentPart>> = {
  ...Object.fromEntries(
    Object.entries(anywhere).map(([name, make]) => [`preview: ${name}`, (text: string): SentPart => ({ is: 'part', part: make(text) })]),
  ),
  'preview: text that is cut': text => ({ is: 'part', part: { text }, cut: true }),
  'preview: name of a large file': filename => ({ is: 'large', filename, bytes: 1 }),
  'preview: type of a large file': mediaType => ({ is: 'large', mediaType, bytes: 1 }),
};
const artifacts: Readonly<Record<string, (text: string) => Partial<ShownContent>>> = {
  'preview: name of an artifact': name => ({ name }),
  'preview: description of an artifact': description => ({ description }),
  'preview: text of an artifact': text => ({ parts: [{ is: 'part', part: { text } }] }),
};
const answers: Readonly<Record<string, (text: string) => Partial<ShownAnswer>>> = {
  'preview: row': row => ({ row }),
  'preview: state': state => ({ state: state as TaskState }),
  'preview: problem': message => ({ problem: { message } }),
  'preview: expectation': message => ({
    expectations: { count: 1, failed: [{ message, expected: message, actual: message }], leftOut: 0 },
  }),
  'preview: next step': nextStep => ({ problem: { message: 'x', nextStep } }),
};
const title = 'preview: request';

/** The page of a response. */
export const response: Board = {
  page: 'responsePage',
  batch: 20,
  steps: 40,
  sinks: [parts, artifacts, answers].flatMap(table => Object.keys(table)).concat(title),
  answers: {},
  show(attacks, first) {
    const view: ResponseView = {
      response: first,
      title: (attacks[first % attacks.length] ?? String)(title),
      running: false,
      leftOut: 0,
      answers: attacks.flatMap(answersOf),
      strings: {},
    };
    // The same once more, as an answer that grows is told.
    return { messages: [view, { ...view, running: true }, view], presses: ['[aria-expanded=false]', '.data > .text-button'] };
  },
};

function answersOf(attack: Attack): readonly ShownAnswer[] {
  const content = (kind: ShownContent['kind'], all: readonly SentPart[]): ShownContent => ({ kind, parts: all, leftOut: 0 });
  return [
    {
      contents: [
        content('message', eachSink(parts, attack)),
        ...eachSink(artifacts, attack).map(facets => ({ ...content('artifact', []), ...facets })),
      ],
    },
    ...eachSink(answers, attack).map(facets => ({ contents: [], ...facets })),
  ];
}
