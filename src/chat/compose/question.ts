import type { ChatState } from '../messages.ts';
import type { Transcript } from '../transcript.ts';

const longest = 120;

/** The words with which the waiting task asks, on one line; empty where none waits. */
export function questionOf({ waitingTaskId, tasks }: Pick<ChatState, 'waitingTaskId' | 'tasks'>, transcript: Transcript): string {
  if (waitingTaskId === undefined) return '';
  const asked = transcript.shapes.value.findLast(({ kind, taskId }) => kind === 'status' && taskId === waitingTaskId);
  const entry = asked === undefined ? undefined : transcript.view(asked.seq)?.value.entry;
  const parts = entry?.kind === 'status' ? entry.message?.parts ?? [] : [];
  const words = parts.map(part => ('text' in part ? part.text : '')).join(' ').replace(/\s+/g, ' ').trim();
  const question = words === '' ? tasks.find(({ taskId }) => taskId === waitingTaskId)?.title ?? '' : words;
  return question.length > longest ? `${question.slice(0, longest - 1)}…` : question;
}
