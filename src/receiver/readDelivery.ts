import { exactJson } from '../protocol/json/exactJson.ts';
import { collect, type Finding, type Note } from '../protocol/finding.ts';
import { isObject } from '../protocol/json.ts';
import { requireShallow } from '../protocol/json/nesting.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import { detectAnswer } from '../protocol/versions/detectAnswer.ts';
import { formOf, readStreamResponse, versionOf } from '../protocol/versions/index.ts';

/** The content of a delivery, in core shape. */
interface ReadDelivery {
  /** The JSON as received, without a JSON-RPC envelope; undefined where the body is not JSON, or nested too deeply to be written again. */
  readonly value: unknown;
  /** Undefined where nothing could be read; see `problem`. */
  readonly content?: StreamResponse;
  readonly problem?: Problem;
  /** The version whose shape the delivery has, where it has one. */
  readonly protocolVersion?: string;
  readonly findings: readonly Finding[];
}

/**
 * Reads what an agent sent to a webhook: one event in its wrapper (A2A 1.0 §4.3.3), or a task or an event by itself, as agents of earlier
 * versions do. Never throws.
 * @param expected version of the requests to the agent; deviations from it are findings. Without it the delivery itself decides.
 */
export function readDelivery(text: string, expected?: string): ReadDelivery {
  const { note, findings } = collect();
  // Notifications have a rule of their own for missing members.
  const inNotification: Note = (rule, ...finding) => note(rule === 'CORE-01' ? 'PUSH-05' : rule, ...finding);
  let parsed: unknown;
  try {
    parsed = exactJson(text);
  } catch {
    return { value: undefined, findings, problem: notJson() };
  }
  let value: unknown;
  try {
    requireShallow(parsed);
    value = parsed;
    if (isObject(value) && value['jsonrpc'] === '2.0') {
      note('PUSH-05', '', sentence('A notification should be bare, not inside a JSON-RPC message.'));
      value = value['result'] ?? value['params'];
    }
    const [shape] = isObject(value) ? (detectAnswer(value)?.versions ?? []) : [];
    const form = (expected === undefined ? undefined : versionOf(expected)) ?? formOf(shape ?? '1.0') ?? versionOf('1.0')!;
    const content = readStreamResponse(value, form, inNotification);
    return { value, content, findings, ...(shape !== undefined && { protocolVersion: shape.replace(/-proto$/, '') }) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { value, findings, problem: inDelivery(error) };
  }
}

const notJson = (): Problem =>
  new Problem('not-json', sentence('The notification is not JSON.'), {
    nextStep: sentence("Look at the agent's own log at this time."),
  });

/** The problem of a delivery that cannot be read: a webhook has no answer to be looked at. */
const inDelivery = (problem: Problem): Problem =>
  problem.code !== 'unreadable-answer'
    ? problem
    : new Problem(problem.code, sentence('The notification is not a readable task, message or update.'), {
        nextStep: sentence("Look at the body of the notification, and at the agent's own log at this time."),
        details: problem.details ?? problem.message,
        cause: problem,
      });
