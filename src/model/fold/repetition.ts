import { isDeepStrictEqual } from 'node:util';
import type { TaskArtifactUpdateEvent } from '../../protocol/message/streamResponse.ts';

/** Whether a chunk is the one before once more. Nearly none is: their texts tell, before anything else is looked at. */
export function isRepetition(update: TaskArtifactUpdateEvent, before: TaskArtifactUpdateEvent | undefined): boolean {
  const [one] = update.artifact.parts;
  const [other] = before?.artifact.parts ?? [];
  if (one !== undefined && other !== undefined && 'text' in one && 'text' in other && one.text !== other.text) return false;
  return isDeepStrictEqual(update, before);
}
