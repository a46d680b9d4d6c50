import type { Note } from '../finding.ts';
import { isObject } from '../json.ts';
import type { Operation, OperationParams, SendMessageParams, UnaryOperation, UnaryResults } from '../operations.ts';
import { Problem, sentence } from '../problem.ts';
import type { StreamResponse } from '../streamResponse.ts';
import { present } from './fields.ts';
import { readCard0_3 } from './readCard0_3.ts';
import { readParamsWith } from './readParams.ts';
import { readArtifactUpdate, readMessage, readStatusUpdate, readTask, type Style } from './readTask.ts';
import type { Version } from './version.ts';
import { writeMessage, writeStreamResponse, writeTask } from './write0_3.ts';

const style: Style = {
  parts: 'kind',
  stateSpelling: state => state === state.toLowerCase() && !state.includes('_') && state !== 'cancelled',
  userRole: 'user',
  agentRole: 'agent',
};

type Fields = Readonly<Record<string, unknown>>;

const kinds: { readonly [kind: string]: (value: Fields, note: Note) => StreamResponse } = {
  'task': (value, note) => ({ task: readTask(value, '', note, style) }),
  'message': (value, note) => ({ message: readMessage(value, '', note, style, 'ROLE_AGENT') }),
  'status-update': (value, note) => ({ statusUpdate: readStatusUpdate(value, '', note, style) }),
  'artifact-update': (value, note) => ({ artifactUpdate: readArtifactUpdate(value, '', note, style) }),
};

/** By `kind`; a missing or foreign `kind` is noted and the shape decides. */
function readStreamResponse(event: unknown, note: Note): StreamResponse {
  if (isObject(event)) {
    const kind = event['kind'];
    if (typeof kind === 'string' && Object.hasOwn(kinds, kind)) return kinds[kind]!(event, note);
    const shape = kindByShape(event);
    if (shape !== undefined) {
      note('DATA-01', '/kind', `kind should be ${JSON.stringify(shape)}, not ${JSON.stringify(kind)}.`);
      return kinds[shape]!(event, note);
    }
  }
  throw new Problem('unreadable-answer', sentence('The agent answered with neither a task nor a message nor an update of one.'), {
    nextStep: sentence('Open the exchange to see the answer as it was on the wire.'),
    details: JSON.stringify(event)?.slice(0, 2048),
  });
}

function kindByShape(event: Fields): string | undefined {
  if (isObject(event['artifact'])) return 'artifact-update';
  if (isObject(event['status'])) return 'id' in event ? 'task' : 'status-update';
  return Array.isArray(event['parts']) ? 'message' : undefined;
}

function readSendResult(result: unknown, note: Note): UnaryResults['SendMessage'] {
  const answer = readStreamResponse(result, note);
  if ('task' in answer || 'message' in answer) return answer;
  throw new Problem('unreadable-answer', sentence('The agent answered a plain request with a stream event.'), {
    nextStep: sentence('Open the exchange to see the answer as it was on the wire.'),
  });
}

const readers: { readonly [O in UnaryOperation]: (result: unknown, note: Note) => UnaryResults[O] } = {
  SendMessage: readSendResult,
  GetTask: (result, note) => readTask(result, '', note, style),
  CancelTask: (result, note) => readTask(result, '', note, style),
  ListTasks: () => {
    throw unsaid('ListTasks');
  },
};

function unsaid(operation: Operation): Problem {
  return new Problem('operation-not-in-version', sentence('A2A {0} has no {1}.', '0.3', operation), {
    nextStep: sentence('Use an interface of the agent card that speaks 1.0.'),
  });
}

function writeSend({ message, configuration, metadata }: SendMessageParams): Fields {
  return present({
    message: writeMessage(message),
    configuration: configuration === undefined ? undefined : present({
      acceptedOutputModes: configuration.acceptedOutputModes,
      historyLength: configuration.historyLength,
      blocking: configuration.returnImmediately === undefined ? undefined : !configuration.returnImmediately,
    }),
    metadata,
  });
}

type Writers = { readonly [O in Operation]: (params: OperationParams[O]) => unknown };
const writers: Writers = {
  SendMessage: writeSend,
  SendStreamingMessage: writeSend,
  GetTask: ({ id, historyLength }) => present({ id, historyLength }),
  CancelTask: ({ id, metadata }) => present({ id, metadata }),
  SubscribeToTask: ({ id }) => ({ id }),
  ListTasks: () => {
    throw unsaid('ListTasks');
  },
};

const resultWriters: { readonly [O in UnaryOperation]: (result: UnaryResults[O]) => unknown } = {
  SendMessage: writeStreamResponse,
  GetTask: writeTask,
  CancelTask: writeTask,
  ListTasks: () => {
    throw unsaid('ListTasks');
  },
};

/** A2A 0.3 over JSON-RPC: slash methods, `kind` members, lower-case enums. */
export const v0_3: Version = {
  protocolVersion: '0.3',
  header: undefined,
  methods: {
    SendMessage: 'message/send',
    SendStreamingMessage: 'message/stream',
    GetTask: 'tasks/get',
    CancelTask: 'tasks/cancel',
    SubscribeToTask: 'tasks/resubscribe',
  },
  writeParams: (operation, params) => writers[operation](params),
  readResult: (operation, result, note) => readers[operation](result, note),
  readStreamResponse,
  readParams: (operation, params, note) => readParamsWith(operation, params, note, style),
  writeResult: (operation, result) => resultWriters[operation](result),
  writeStreamResponse,
  recognises: value => typeof value['kind'] === 'string' && Object.hasOwn(kinds, value['kind']),
  recognisesCard: card => !Array.isArray(card['supportedInterfaces']) && typeof card['url'] === 'string',
  readCard: readCard0_3,
};
