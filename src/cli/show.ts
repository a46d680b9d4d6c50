import type { Part } from '../protocol/part.ts';
import type { StreamResponse } from '../protocol/streamResponse.ts';
import type { Task } from '../protocol/task.ts';
import { taskStates } from '../protocol/taskState.ts';
import { json, print, printable, tell } from './output.ts';
import type { Terminal } from './terminal.ts';

/** What the agent made goes to standard output, what is said about it to standard error. */
export function showEvent({ values }: Terminal, event: StreamResponse): void {
  if (values.raw) return;
  if (values.json) print(json(event));
  else if ('task' in event) showTask(event.task);
  else if ('message' in event) showParts(event.message.parts, true);
  else if ('artifactUpdate' in event) showParts(event.artifactUpdate.artifact.parts, event.artifactUpdate.lastChunk === true);
  else showStatus(event.statusUpdate.taskId, { status: event.statusUpdate.status, metadata: event.statusUpdate.metadata });
}

export function showTask(task: Task): void {
  for (const { parts } of task.artifacts ?? []) showParts(parts, true);
  showStatus(task.id, task);
}

function showStatus(taskId: string, { status: { state, message }, contextId, metadata }: Pick<Task, 'status' | 'contextId' | 'metadata'>): void {
  const words = message?.parts.map(part => ('text' in part ? part.text : described(part))).join(' ');
  const facts = [`task ${taskId}`, contextId && `context ${contextId}`, taskStates[state].label, progressOf(metadata)].filter(Boolean).join(', ');
  tell(words ? `${facts}: ${words}` : facts);
}

const progressOf = (metadata: Task['metadata']): string | undefined =>
  (typeof metadata?.['progress'] === 'number' ? `${metadata['progress']} %` : undefined);

function showParts(parts: readonly Part[], last: boolean): void {
  for (const part of parts) {
    if ('text' in part) process.stdout.write(printable(part.text));
    else if ('data' in part) process.stdout.write(json(part.data));
    else tell(described(part));
  }
  if (last) process.stdout.write('\n');
}

function described(part: Part): string {
  const where = 'url' in part ? part.url : 'raw' in part ? `${Buffer.byteLength(part.raw, 'base64')} bytes` : 'data';
  return `[${[part.filename, part.mediaType, where].filter(Boolean).join(', ')}]`;
}
