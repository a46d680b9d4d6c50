import { AgentCard } from '../agentCard.ts';
import type { Note } from '../finding.ts';
import { isObject } from '../json.ts';
import type { ListTasksResponse, UnaryOperation, UnaryResults } from '../operations.ts';
import { Problem, sentence } from '../problem.ts';
import type { StreamResponse } from '../streamResponse.ts';
import { items, optionalString } from './fields.ts';
import { normalizeCard } from './normalizeCard.ts';
import { readParamsWith } from './readParams.ts';
import { readArtifactUpdate, readMessage, readStatusUpdate, readTask, type Style } from './readTask.ts';
import type { Version } from './version.ts';

const style: Style = {
  parts: 'member',
  stateSpelling: state => state.startsWith('TASK_STATE_') && state !== 'TASK_STATE_CANCELLED',
  userRole: 'ROLE_USER',
  agentRole: 'ROLE_AGENT',
};

type Fields = Readonly<Record<string, unknown>>;

const wrappers: { readonly [member: string]: (value: unknown, pointer: string, note: Note) => StreamResponse } = {
  task: (value, pointer, note) => ({ task: readTask(value, pointer, note, style) }),
  message: (value, pointer, note) => ({ message: readMessage(value, pointer, note, style, 'ROLE_AGENT') }),
  statusUpdate: (value, pointer, note) => ({ statusUpdate: readStatusUpdate(value, pointer, note, style) }),
  artifactUpdate: (value, pointer, note) => ({ artifactUpdate: readArtifactUpdate(value, pointer, note, style) }),
};

function readStreamResponse(event: unknown, note: Note): StreamResponse {
  if (isObject(event)) {
    for (const member in wrappers) {
      if (isObject(event[member])) return wrappers[member]!(event[member], `/${member}`, note);
    }
    const bare = bareKind(event);
    if (bare !== undefined) {
      note('CORE-01', '', `The answer should hold exactly one of task, message, statusUpdate, artifactUpdate; it is a bare ${bare}.`);
      return wrappers[bare]!(event, '', note);
    }
  }
  throw new Problem('unreadable-answer', sentence('The agent answered with neither a task nor a message nor an update of one.'), {
    nextStep: sentence('Open the exchange to see the answer as it was on the wire.'),
    details: JSON.stringify(event)?.slice(0, 2048),
  });
}

function bareKind(event: Fields): string | undefined {
  if (isObject(event['artifact'])) return 'artifactUpdate';
  if (isObject(event['status'])) return 'id' in event ? 'task' : 'statusUpdate';
  return Array.isArray(event['parts']) || Array.isArray(event['content']) ? 'message' : undefined;
}

function readListTasks(result: unknown, note: Note): ListTasksResponse {
  if (!isObject(result) || !Array.isArray(result['tasks'])) {
    note('DATA-01', '/tasks', 'tasks is missing.');
    return { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 };
  }
  const tasks = items(result['tasks']).map((task, index) => readTask(task, `/tasks/${index}`, note, style));
  const count = (name: string, fallback: number): number => (typeof result[name] === 'number' ? result[name] : fallback);
  return {
    tasks,
    nextPageToken: optionalString(result, 'nextPageToken', '', note) ?? '',
    pageSize: count('pageSize', tasks.length),
    totalSize: count('totalSize', tasks.length),
  };
}

function readOneTask(result: unknown, note: Note): UnaryResults['GetTask'] {
  const wrapped = isObject(result) && isObject(result['task']) && !('status' in result);
  if (wrapped) note('DATA-01', '', 'The task should be bare here, not inside a task member.');
  return readTask(wrapped ? result['task'] : result, wrapped ? '/task' : '', note, style);
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
  GetTask: readOneTask,
  ListTasks: readListTasks,
  CancelTask: readOneTask,
};

/** A2A 1.0: PascalCase methods, wrapped answers, flat parts, `TASK_STATE_*`. Core shape is this shape. */
export const v1_0: Version = {
  protocolVersion: '1.0',
  header: '1.0',
  methods: {
    SendMessage: 'SendMessage',
    SendStreamingMessage: 'SendStreamingMessage',
    GetTask: 'GetTask',
    ListTasks: 'ListTasks',
    CancelTask: 'CancelTask',
    SubscribeToTask: 'SubscribeToTask',
  },
  writeParams: (_operation, params) => params,
  readResult: (operation, result, note) => readers[operation](result, note),
  readStreamResponse,
  readParams: (operation, params, note) => readParamsWith(operation, params, note, style),
  writeResult: (_operation, result) => result,
  writeStreamResponse: event => event,
  recognises(value) {
    if ('kind' in value) return false;
    if (isObject(value['status'])) return String(value['status']['state']).startsWith('TASK_STATE_');
    return Object.keys(wrappers).some(member => isObject(value[member])) || Array.isArray(value['tasks']);
  },
  recognisesCard: card => Array.isArray(card['supportedInterfaces']),
  readCard(card, note) {
    const strict = AgentCard.safeParse(card);
    if (strict.success) return { ...card, ...strict.data };
    return normalizeCard(card, strict.error, note);
  },
};
