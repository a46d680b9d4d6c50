import type { ShownAnswer, ShownContent } from '../../../chat/host/responseMessages.ts';
import type { RequestRun } from '../../../model/requests/requestRun.ts';
import type { Message } from '../../../protocol/message/message.ts';
import { type Part, textOf } from '../../../protocol/message/part.ts';
import type { LocalizedMessage, Problem } from '../../../protocol/problem.ts';
import { repliesIn } from '../../../protocol/message/replies.ts';
import type { Task } from '../../../protocol/message/task.ts';
import { joinText } from '../../../protocol/message/transcript.ts';
import type { RequestOutcome } from '../../../model/requests/requestOutcome.ts';
import { secretsToMask } from '../../platform/shownSecrets.ts';
import { shownExpectations } from './shownExpectations.ts';

/** A message or an artifact with its parts as they came, texts that came in chunks joined. */
interface AnswerContent extends Omit<ShownContent, 'parts' | 'leftOut'> {
  readonly parts: readonly Part[];
}

export interface Answer extends Omit<ShownAnswer, 'contents'> {
  readonly contents: readonly AnswerContent[];
}

/** Translations of problems and sentences. */
interface AnswerWords {
  readonly explain: (problem: Problem) => { readonly message: string; readonly nextStep?: string };
  readonly translate: (sentence: LocalizedMessage) => string;
}

/** Answers of a request so far: one, or one for each row of data that has begun. Secrets are masked in our own texts. */
export function answersOf(run: RequestRun, words: AnswerWords): readonly Answer[] {
  const { outcome, task } = run;
  if (run.rows.length === 0) return [answerOf({ ...outcome, ...(task !== undefined && { task }) }, words)];
  const begun = run.rows.filter((row, index) => row.outcome !== undefined || run.rows[index - 1]?.outcome !== undefined || index === 0);
  return begun.map(({ label, outcome: result }) => {
    // A row without an outcome has the task of the run, once it is its own.
    const current = result ?? (run.running && task !== undefined ? { task } : {});
    return { row: secretsToMask.mask(label), ...answerOf(current, words) };
  });
}

function answerOf(result: Partial<RequestOutcome>, { explain, translate }: AnswerWords): Answer {
  const { task, problem, expectations = [] } = result;
  const state = task?.status.state;
  const shownProblem = problem === undefined ? undefined : explain(problem);
  const checked = expectations.map(({ kind, ok, message, expected, actual }) => ({
    kind,
    ok,
    ...(!ok && secretsToMask.maskIn({ message: translate(message), expected, actual })),
  }));
  const shown = shownExpectations(checked, { state, problem: shownProblem?.message });
  return {
    ...(state !== undefined && { state }),
    ...(shownProblem !== undefined && {
      problem: { message: shownProblem.message, ...(shownProblem.nextStep !== undefined && { nextStep: shownProblem.nextStep }) },
    }),
    ...(shown !== undefined && { expectations: shown }),
    contents: answerContents(result),
  };
}

/** Contents of the answer, for a person. */
export const answerContents = ({ task, message, value }: Pick<RequestOutcome, 'task' | 'message' | 'value'>): readonly AnswerContent[] => [
  ...contentsOf(task, message),
  ...(task === undefined && message === undefined && value !== undefined ? [contentOf('message', [{ data: value }])] : []),
];

/** Contents in the order of `textOfObserved`: artifacts, then the reply; if neither has text, the task's messages. */
function contentsOf(task: Task | undefined, message: Message | undefined): readonly AnswerContent[] {
  const replies = task === undefined ? [] : repliesIn(task);
  const last = message ?? (task?.status.message === undefined ? undefined : replies.at(-1));
  const artifacts = task?.artifacts ?? [];
  const words = last === undefined ? [] : [last];
  const said = [...artifacts, ...words].some(({ parts }) => textOf(parts) !== '') ? words : replies;
  return [
    ...artifacts.map(({ artifactId, name, description, parts }) => ({
      ...contentOf('artifact', parts),
      name: name ?? artifactId,
      ...(description !== undefined && { description }),
    })),
    ...said.filter(({ parts }) => parts.length > 0).map(({ parts }) => contentOf('message', parts)),
  ];
}

const contentOf = (kind: AnswerContent['kind'], parts: readonly Part[]): AnswerContent => ({ kind, parts: joinText(parts) });
