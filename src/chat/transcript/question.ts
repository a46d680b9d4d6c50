import type { ChatState } from '../host/chatState.ts';
import { StatusWords } from './statusWords.ts';
import type { Transcript } from './transcript.ts';

const maxLength = 120;

/** The question of the waiting task, on one line; empty where no task waits. */
export function questionOf({ waitingTaskId, tasks }: Pick<ChatState, 'waitingTaskId' | 'tasks'>, transcript: Transcript): string {
  if (waitingTaskId === undefined) return '';
  const words = new StatusWords(transcript).newest(waitingTaskId).replace(/\s+/g, ' ').trim();
  const question = words === '' ? (tasks.find(({ taskId }) => taskId === waitingTaskId)?.title ?? '') : words;
  return question.length > maxLength ? `${question.slice(0, maxLength - 1)}…` : question;
}
