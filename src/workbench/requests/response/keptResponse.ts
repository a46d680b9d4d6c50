import { exactJson } from '../../../protocol/json/exactJson.ts';
import type { FailedExpectation } from '../../../chat/host/responseMessages.ts';
import { isShallow } from '../../../protocol/json/depth.ts';
import { isObject } from '../../../protocol/json.ts';
import { Message } from '../../../protocol/message/message.ts';
import { Task } from '../../../protocol/message/task.ts';
import { type Answer, answerContents } from './responseAnswers.ts';
import { type CheckedExpectation, shownExpectations } from './shownExpectations.ts';

/** Preview of a kept response. */
export interface KeptResponse {
  readonly answers: readonly Answer[];
}

/**
 * Reads what a preview shows from the document of a response, see `responseText`. Undefined where there is nothing to show, where it is no
 * such document, and for several rows of data: the document has the answer to the last one alone.
 */
export function keptResponse(text: string): KeptResponse | undefined {
  const document = parsed(text);
  if (!isObject(document)) return undefined;
  const rows = listOf(document['rows']);
  if (rows.length > 1) return undefined;
  const { result } = document;
  const outcome = resultOf(result);
  const problem = problemOf(document['problem']);
  const state = outcome.task?.status.state;
  const expectations = shownExpectations(
    listOf(document['expectations']).flatMap(each => expectationOf(each) ?? []),
    { ...(state !== undefined && { state }), ...(problem !== undefined && { problem: problem.message }) },
  );
  const contents = answerContents(outcome);
  if (contents.length === 0 && problem === undefined && state === undefined) return undefined;
  const [row] = rows;
  return {
    answers: [
      {
        ...(isObject(row) && typeof row['row'] === 'string' && { row: row['row'] }),
        ...(state !== undefined && { state }),
        ...(problem !== undefined && { problem }),
        ...(expectations !== undefined && { expectations }),
        contents,
      },
    ],
  };
}

function parsed(text: string): unknown {
  try {
    const value = exactJson(text);
    return isShallow(value) ? value : undefined;
  } catch (error) {
    // A secret that was masked may have been the half of a token.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The result as `responseText` writes it: a task, a message, or that of another operation. */
function resultOf(result: unknown): { readonly task?: Task; readonly message?: Message; readonly value?: unknown } {
  if (!isObject(result)) return result === undefined ? {} : { value: result };
  const task = Task.safeParse(result['task']);
  if (task.success) return { task: task.data };
  const message = Message.safeParse(result['message']);
  return message.success ? { message: message.data } : { value: result };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function problemOf(value: unknown): Answer['problem'] {
  if (!isObject(value)) return undefined;
  const message = textOf(value['message']);
  const nextStep = textOf(value['nextStep']);
  return message === undefined ? undefined : { message, ...(nextStep !== undefined && { nextStep }) };
}

function expectationOf(value: unknown): CheckedExpectation | undefined {
  if (!isObject(value) || typeof value['kind'] !== 'string' || typeof value['ok'] !== 'boolean') return undefined;
  const texts: Partial<Record<keyof FailedExpectation, string>> = {};
  for (const name of ['message', 'expected', 'actual'] as const) {
    const text = textOf(value[name]);
    if (text !== undefined) texts[name] = text;
  }
  return { kind: value['kind'], ok: value['ok'], ...texts };
}
