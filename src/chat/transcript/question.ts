import type { ChatState } from '../host/chatState.ts';
import { StatusWords } from './statusWords.ts';
import type { Transcript } from './transcript.ts';

const maxLength = 120;
/** Longest text that is looked through for links: each bracket may lead to the end of it. */
const maxLooked = 2_000;

/** A link of Markdown: it cannot be followed there, and its address hides the words. */
const link = /!?\[([^\][]*)\]\([^()\s]*\)/g;

/** The question of the waiting task, on one line; empty where no task waits. */
export function questionOf({ waitingTaskId, tasks }: Pick<ChatState, 'waitingTaskId' | 'tasks'>, transcript: Transcript): string {
  if (waitingTaskId === undefined) return '';
  const words = new StatusWords(transcript).newest(waitingTaskId).slice(0, maxLooked).replace(/\s+/g, ' ').replaceAll(link, '$1').trim();
  const question = words === '' ? (tasks.find(({ taskId }) => taskId === waitingTaskId)?.title ?? '') : words;
  return question.length > maxLength ? `${question.slice(0, maxLength - 1)}…` : question;
}
