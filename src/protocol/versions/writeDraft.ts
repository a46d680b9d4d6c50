import type { Message } from '../message.ts';
import type { Part } from '../part.ts';
import type { StreamResponse } from '../streamResponse.ts';
import type { Artifact, Task, TaskStatus } from '../task.ts';
import { isActive, taskStates, type TaskState } from '../taskState.ts';
import { present } from './fields.ts';
import { writeNestedPart } from './writeNestedPart.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Files and data are in objects of their own, told apart by member. */
const writePart = (part: Part): Fields => writeNestedPart(part, 'mediaType');

/** The words of 0.3. */
export const writeState = (state: TaskState): string => taskStates[state].label;

export const writeMessage = (message: Message): Fields =>
  ({ ...message, role: message.role === 'ROLE_USER' ? 'user' : 'agent', parts: message.parts.map(writePart) });

const writeStatus = (status: TaskStatus): Fields => present({
  ...status, state: writeState(status.state), message: status.message === undefined ? undefined : writeMessage(status.message),
});

const writeArtifact = (artifact: Artifact): Fields => ({ ...artifact, parts: artifact.parts.map(writePart) });

export const writeTask = (task: Task): Fields => present({
  ...task,
  contextId: task.contextId ?? task.id,
  status: writeStatus(task.status),
  artifacts: task.artifacts?.map(writeArtifact),
  history: task.history?.map(writeMessage),
});

/** One event in its wrapper; `final` was still there. */
export function writeStreamResponse(event: StreamResponse): Fields {
  if ('task' in event) return { task: writeTask(event.task) };
  if ('message' in event) return { message: writeMessage(event.message) };
  if ('statusUpdate' in event) {
    const { statusUpdate } = event;
    return {
      statusUpdate: {
        ...statusUpdate, contextId: statusUpdate.contextId ?? statusUpdate.taskId, status: writeStatus(statusUpdate.status),
        final: !isActive(statusUpdate.status.state),
      },
    };
  }
  const { artifactUpdate } = event;
  return {
    artifactUpdate: { ...artifactUpdate, contextId: artifactUpdate.contextId ?? artifactUpdate.taskId, artifact: writeArtifact(artifactUpdate.artifact) },
  };
}
