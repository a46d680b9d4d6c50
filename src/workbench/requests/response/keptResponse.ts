import * as z from 'zod';
import { exactJson } from '../../../protocol/json/exactJson.ts';
import { isShallow } from '../../../protocol/json/depth.ts';
import { isObject } from '../../../protocol/json.ts';
import { Message } from '../../../protocol/message/message.ts';
import { Task } from '../../../protocol/message/task.ts';
import { withoutUndefined } from '../../../protocol/versions/shared/fields.ts';
import { type Answer, answerContents } from './responseAnswers.ts';
import { shownExpectations } from './shownExpectations.ts';

/** Preview of a kept response. */
export interface KeptResponse {
  readonly answers: readonly Answer[];
}

const text = z.string().optional().catch(undefined);

/** The document as a preview shows it, see `responseText`, without what is broken in it. */
const ResponseDocument = z.object({
  rows: z.array(z.object({ row: text }).catch({})).catch([]),
  result: z.unknown().optional(),
  problem: z.object({ message: z.string(), nextStep: text }).optional().catch(undefined),
  expectations: z
    .array(z.object({ kind: z.string(), ok: z.boolean(), message: text, expected: text, actual: text }).optional().catch(undefined))
    .catch([]),
});

/**
 * Reads what a preview shows from the document of a response. Undefined where there is nothing to show, where it is no such document, and
 * for several rows of data: the document has the answer to the last one alone.
 */
export function keptResponse(written: string): KeptResponse | undefined {
  const { data } = ResponseDocument.safeParse(parsed(written));
  if (data === undefined || data.rows.length > 1) return undefined;
  const outcome = resultOf(data.result);
  const problem = data.problem && withoutUndefined(data.problem);
  const state = outcome.task?.status.state;
  const expectations = shownExpectations(
    data.expectations.filter(each => each !== undefined),
    { state, problem: problem?.message },
  );
  const contents = answerContents(outcome);
  if (contents.length === 0 && problem === undefined && state === undefined) return undefined;
  return { answers: [withoutUndefined({ row: data.rows[0]?.row, state, problem, expectations, contents })] };
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
