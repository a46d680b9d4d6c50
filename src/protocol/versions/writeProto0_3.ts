import type { Message } from '../message.ts';
import type { StreamResponse } from '../streamResponse.ts';
import type { Artifact, Task, TaskStatus } from '../task.ts';
import { isActive, type TaskState } from '../taskState.ts';
import { writeNestedPart } from './writeNestedPart.ts';

type Fields = Readonly<Record<string, unknown>>;

/** ProtoJSON says nothing of members that have their default: empty texts and lists, and false. */
function elided(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) =>
    value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)));
}

/** A message (`a2a.v1.Message`): its parts are called `content`. References to other tasks cannot be said. */
export function writeMessage({ referenceTaskIds: _, parts, ...rest }: Message): Fields {
  return elided({ ...rest, content: parts.map(part => writeNestedPart(part, 'mimeType')) });
}

/** The default of the enum goes unsaid; canceled has two l. */
const states: { readonly [S in TaskState]?: string } = { TASK_STATE_UNSPECIFIED: '', TASK_STATE_CANCELED: 'TASK_STATE_CANCELLED' };

const writeStatus = ({ state, message, ...rest }: TaskStatus): Fields =>
  elided({ ...rest, state: states[state] ?? state, message: message === undefined ? undefined : writeMessage(message) });

const writeArtifact = ({ parts, ...rest }: Artifact): Fields => elided({ ...rest, parts: parts.map(part => writeNestedPart(part, 'mimeType')) });

/** A task (`a2a.v1.Task`). 0.3 requires a `contextId`: a task that knows none is its own context. */
export function writeTask(task: Task): Fields {
  return elided({
    ...task,
    contextId: task.contextId ?? task.id,
    status: writeStatus(task.status),
    artifacts: task.artifacts?.map(writeArtifact),
    history: task.history?.map(writeMessage),
  });
}

/** One event, or the answer to a send, inside its wrapper (`a2a.v1.StreamResponse`); `final` tells that this turn is over. */
export function writeStreamResponse(event: StreamResponse): Fields {
  if ('task' in event) return { task: writeTask(event.task) };
  if ('message' in event) return { message: writeMessage(event.message) };
  if ('statusUpdate' in event) {
    const { statusUpdate: update } = event;
    return {
      statusUpdate: elided({
        ...update, contextId: update.contextId ?? update.taskId, status: writeStatus(update.status), final: !isActive(update.status.state),
      }),
    };
  }
  const { artifactUpdate: update } = event;
  return { artifactUpdate: elided({ ...update, contextId: update.contextId ?? update.taskId, artifact: writeArtifact(update.artifact) }) };
}
