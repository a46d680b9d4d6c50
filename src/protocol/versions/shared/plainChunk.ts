import { isObject } from '../../json.ts';
import type { TaskArtifactUpdateEvent } from '../../message/streamResponse.ts';

interface PlainChunk {
  readonly artifactUpdate: TaskArtifactUpdateEvent;
}

/**
 * A chunk of text that 1.0 and core write in the same way. This is by far the most frequent event, so it skips conversion, checks and
 * version detection. Anything that deviates or has more members goes to the readers.
 */
export function isPlainChunk(event: unknown): event is PlainChunk {
  if (!isObject(event)) return false;
  for (const name in event) if (name !== 'artifactUpdate') return false;
  const update = event['artifactUpdate'];
  return isObject(update) && isPlainUpdate(update);
}

/** The plain chunk in an answer's JSON, bare or in a JSON-RPC response; undefined where there is none. */
export function plainChunkIn(answer: unknown): PlainChunk | undefined {
  if (isPlainChunk(answer)) return answer;
  const result = isObject(answer) ? answer['result'] : undefined;
  return isPlainChunk(result) ? result : undefined;
}

function isPlainUpdate(update: Readonly<Record<string, unknown>>): boolean {
  for (const name in update) {
    switch (name) {
      case 'taskId':
      case 'contextId':
      case 'artifact':
        break;
      case 'append':
      case 'lastChunk':
        if (typeof update[name] !== 'boolean') return false;
        break;
      default:
        return false;
    }
  }
  return isName(update['taskId']) && isName(update['contextId']) && isPlainArtifact(update['artifact']);
}

function isPlainArtifact(artifact: unknown): boolean {
  if (!isObject(artifact)) return false;
  for (const name in artifact) {
    switch (name) {
      case 'artifactId':
      case 'parts':
        break;
      case 'name':
      case 'description':
        if (typeof artifact[name] !== 'string') return false;
        break;
      default:
        return false;
    }
  }
  const { parts } = artifact;
  return isName(artifact['artifactId']) && Array.isArray(parts) && parts.every(isPlainText);
}

function isPlainText(part: unknown): boolean {
  if (!isObject(part)) return false;
  for (const name in part) if (name !== 'text') return false;
  return typeof part['text'] === 'string';
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';
