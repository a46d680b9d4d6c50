import type { FindingLine } from '../../../../../src/chat/host/chatState.ts';
import type { Part } from '../../../../../src/protocol/message/part.ts';
import type { Message } from '../../../../../src/protocol/message/message.ts';
import type { LocalizedMessage } from '../../../../../src/protocol/problem.ts';
import type { Artifact } from '../../../../../src/protocol/message/task.ts';
import type { TaskState } from '../../../../../src/protocol/message/taskState.ts';
import type { Entry, ProblemEntry } from '../../../../../src/protocol/message/transcript.ts';
import { idleState, snapshotOf, storyStart, task } from '../../story.ts';
import { type Attack, type Board, eachSink } from '../board.ts';
import { base64 } from '../vector.ts';

/** Everything that a part can hold. */
export const parts: Readonly<Record<string, (text: string) => Part>> = {
  text: text => ({ text }),
  'text: file name': text => ({ text: 'x', filename: text }),
  'text: media type': text => ({ text: 'x', filename: 'x', mediaType: text }),
  'text that is HTML': text => ({ text, mediaType: 'text/html' }),
  'text that is JSON': text => ({ text, mediaType: 'application/json' }),
  'bytes that are a text': text => ({ raw: base64(text), mediaType: 'text/plain', filename: 'x' }),
  'bytes that are HTML': text => ({ raw: base64(text), mediaType: 'text/html' }),
  'bytes of no kind': text => ({ raw: base64(text), mediaType: 'application/octet-stream' }),
  'bytes that are no base64': text => ({ raw: text, mediaType: 'image/png' }),
  'bytes of a picture': text => ({
    raw: base64(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${text}</svg>`),
    mediaType: 'image/svg+xml',
  }),
  'bytes: file name': text => ({ raw: 'AAAA', filename: text }),
  'picture: file name': text => ({ raw: base64('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), filename: text }),
  'bytes: media type': text => ({ raw: 'AAAA', mediaType: text }),
  address: text => ({ url: text }),
  'path of an address': text => ({ url: `https://example.org/${text}` }),
  'address: file name': text => ({ url: 'https://example.org/', filename: text }),
  'address: media type': text => ({ url: 'https://example.org/', mediaType: text }),
  data: text => ({ data: text }),
  'data: key': text => ({ data: ownMember(text, 'x') }),
  'data: value': text => ({ data: { x: text, y: [text, { z: text }] } }),
  'data: key of a branch': text => ({ data: { x: ownMember(text, { y: 1 }) } }),
  'data: column': text => ({ data: [ownMember(text, 1), ownMember(text, 2)] }),
  'data: cell': text => ({ data: [{ x: text }, { x: text }] }),
  'data: JSON': text => ({ data: asJson(text) }),
};

const ownMember = (name: string, value: unknown): unknown => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) as unknown;

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return { x: [text] }; // Most attacks are no JSON.
  }
}

const sentence = (text: string): LocalizedMessage => ({ template: 'a {0} b', args: [text] });
const said = (role: Message['role'], list: Part[]): Message => ({ messageId: 'm', role, parts: list });

/** Everything that a message of the person can hold. */
const messages: Readonly<Record<string, (text: string) => Partial<Message>>> = {
  'message of the person': text => ({ parts: [{ text }, { text: 'x', metadata: { referenceArtifacts: [] } }] }),
  'reference to a task': text => ({ referenceTaskIds: [text] }),
};

const artifacts: Readonly<Record<string, (text: string) => Partial<Artifact>>> = {
  'artifact: name': name => ({ name }),
  'artifact: description': description => ({ description }),
  'artifact: text that arrives': text => ({ parts: [{ text: `Words before.\n\n${text}` }] }),
};

const problems: Readonly<Record<string, (text: string) => Partial<ProblemEntry>>> = {
  problem: text => ({ sentence: sentence(text) }),
  'problem: next step': text => ({ nextStep: sentence(text) }),
  'problem: details': details => ({ details }),
  'problem: code': code => ({ code }),
};

type Body = DistributiveOmit<Entry, 'seq' | 'at'>;
type DistributiveOmit<T, Name extends string> = T extends unknown ? Omit<T, Name> : never;

const status = (state: TaskState, text: string): Body => ({ kind: 'status', state, message: said('ROLE_AGENT', [{ text }]) });

/** Entries that hold one such text. */
const entries: Readonly<Record<string, (text: string) => Body>> = {
  'reference to an artifact': text => ({
    kind: 'message',
    message: said('ROLE_USER', [{ text: 'x', metadata: { referenceArtifacts: [{ taskId: 't', artifactId: text }] } }]),
  }),
  'task id': text => ({ kind: 'message', taskId: text, message: said('ROLE_AGENT', [{ text: 'x' }]) }),
  'exchange id': text => ({ kind: 'message', exchangeId: text, message: said('ROLE_AGENT', [{ text: 'x' }]) }),
  'artifact: file name': text => ({
    kind: 'artifact',
    complete: true,
    chunks: 2,
    artifact: { artifactId: 'a', parts: [{ data: {}, filename: text }] },
  }),
  'artifact: media type': text => ({
    kind: 'artifact',
    complete: true,
    chunks: 1,
    artifact: { artifactId: 'a', parts: [{ data: {}, mediaType: text }] },
  }),
  'status: words': text => status('TASK_STATE_WORKING', text),
  'status: failure': text => status('TASK_STATE_FAILED', text),
  'status: question': text => status('TASK_STATE_INPUT_REQUIRED', text),
  'status: word of the state': text => ({ kind: 'status', state: text as TaskState }),
  gap: text => ({ kind: 'gap', reason: sentence(text) }),
};

/** Everything that a deviation can quote. */
const findings: Readonly<Record<string, (text: string) => Partial<FindingLine>>> = {
  'deviation: rule': text => ({ rule: text }),
  'deviation: title': text => ({ title: text }),
  'deviation: section': text => ({ section: text }),
  'deviation: pointer': text => ({ pointer: text }),
  'deviation: message': text => ({ message: text }),
};

/** The task that has a card beside another one. */
const cardTitle = 'card of a task: title';

/** The conversation. */
export const transcript: Board = {
  page: 'chat',
  batch: 20,
  steps: 40,
  sinks: [parts, messages, artifacts, problems, entries, findings].flatMap(table => Object.keys(table)).concat(cardTitle),
  answers: { ready: { result: snapshotOf([]) } },
  show(attacks) {
    const shown = attacks.map(entriesOf);
    return {
      messages: [
        {
          type: 'event',
          name: 'state',
          value: { ...idleState, tasks: attacks.map((attack, slot) => task(`p-${slot}`, 'TASK_STATE_WORKING', attack(cardTitle), 0)) },
        },
        { type: 'event', name: 'updates', value: shown.flat().map(entry => ({ type: 'put', entry })) },
        { type: 'event', name: 'findings', value: attacks.map(findingsOf) },
      ],
      presses: ['[aria-expanded=false]:not([aria-haspopup])', '.data > .text-button', 'summary'],
    };
  },
};

/** The same places again for each step: what was there is replaced. */
function entriesOf(attack: Attack, slot: number): readonly Entry[] {
  const bodies: readonly Body[] = [
    { kind: 'message', message: said('ROLE_AGENT', eachSink(parts, attack)) },
    { kind: 'message', delivery: 'sent', message: Object.assign(said('ROLE_USER', []), ...eachSink(messages, attack)) as Message },
    {
      kind: 'artifact',
      complete: false,
      chunks: 2,
      artifact: Object.assign({ artifactId: 'a', parts: [] }, ...eachSink(artifacts, attack)) as Artifact,
    },
    Object.assign({ kind: 'problem' }, ...eachSink(problems, attack)) as ProblemEntry,
    ...eachSink(entries, attack),
    ...['p', 'q', 'p'].map((name): Body => ({ ...status('TASK_STATE_WORKING', 'x'), taskId: `${name}-${slot}` })),
  ];
  // Statuses of one task in a row are one line; each is a task of its own here.
  return bodies.map((body, index) => ({
    exchangeId: `e-${slot}`,
    ...(body.kind === 'status' ? { taskId: `t-${slot}-${index}` } : {}),
    ...body,
    seq: 1 + slot * bodies.length + index,
    at: storyStart,
  }));
}

function findingsOf(attack: Attack, slot: number): unknown {
  // Of one rule only one line is shown.
  const line = (index: number): FindingLine => ({
    rule: `x${index}`,
    title: 'x',
    level: 'MUST',
    pointer: '',
    message: 'x',
    finding: 0,
    times: 1,
  });
  return {
    exchangeId: `e-${slot}`,
    startedAt: storyStart,
    lines: eachSink(findings, attack).map((words, index) => ({ ...line(index), ...words })),
  };
}
