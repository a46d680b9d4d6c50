import type { Message } from '../../message/message.ts';
import type { Part } from '../../message/part.ts';
import type { StreamResponse } from '../../message/streamResponse.ts';
import type { Artifact, Task, TaskStatus } from '../../message/task.ts';
import { isActive, type TaskState } from '../../message/taskState.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How a form with wrapped events and nested parts writes messages, parts and states. */
interface NestedStyle {
  readonly message: (message: Message) => Fields;
  readonly part: (part: Part) => Fields;
  readonly state: (state: TaskState) => string;
  /** The object without members that this form omits. */
  readonly omitDefaults: (fields: Fields) => Fields;
}

/** Writes tasks and events of 0.3's protocol buffers and of the 1.0 drafts: both require a `contextId` and have `final`. */
export function nestedWriters({ message: writeMessage, part, state, omitDefaults }: NestedStyle): {
  readonly writeTask: (task: Task) => Fields;
  readonly writeStreamResponse: (event: StreamResponse) => Fields;
} {
  const writeStatus = (status: TaskStatus): Fields =>
    omitDefaults({
      ...status,
      state: state(status.state),
      message: status.message === undefined ? undefined : writeMessage(status.message),
    });
  const writeArtifact = (artifact: Artifact): Fields => omitDefaults({ ...artifact, parts: artifact.parts.map(part) });
  const writeTask = (task: Task): Fields =>
    omitDefaults({
      ...task,
      contextId: task.contextId ?? task.id,
      status: writeStatus(task.status),
      artifacts: task.artifacts?.map(writeArtifact),
      history: task.history?.map(writeMessage),
    });
  return {
    writeTask,
    writeStreamResponse(event) {
      if ('task' in event) return { task: writeTask(event.task) };
      if ('message' in event) return { message: writeMessage(event.message) };
      if ('statusUpdate' in event) {
        const { statusUpdate: update } = event;
        return {
          statusUpdate: omitDefaults({
            ...update,
            contextId: update.contextId ?? update.taskId,
            status: writeStatus(update.status),
            final: !isActive(update.status.state),
          }),
        };
      }
      const { artifactUpdate: update } = event;
      return {
        artifactUpdate: omitDefaults({ ...update, contextId: update.contextId ?? update.taskId, artifact: writeArtifact(update.artifact) }),
      };
    },
  };
}
