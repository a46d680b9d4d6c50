import type { FailedExpectation, ShownExpectations } from '../../../chat/host/responseMessages.ts';
import { taskStates, type TaskState } from '../../../protocol/message/taskState.ts';

/** Maximum number listed, and the longest of their texts in UTF-16 code units: the response document has all. */
const maxFailed = 50;
const maxText = 2_000;

/** Result of an expectation, its texts translated and masked; one that holds has none. */
export interface CheckedExpectation extends Partial<FailedExpectation> {
  readonly kind: string;
  readonly ok: boolean;
}

/**
 * Expectations of an answer as its page shows them, without those that the state or the problem already shows; undefined if none is left.
 */
export function shownExpectations(
  all: readonly CheckedExpectation[],
  { state, problem }: { readonly state?: TaskState; readonly problem?: string },
): ShownExpectations | undefined {
  const label = state === undefined ? undefined : taskStates[state].label;
  // Expectations of the kind `answer` are not in the file.
  const own = all.filter(({ kind, ok, message, actual }) =>
    kind === 'answer' ? !ok && message !== problem && (actual === undefined || actual !== label) : true,
  );
  if (own.length === 0) return undefined;
  const failed = own.filter(({ ok }) => !ok);
  return {
    count: own.length,
    failed: failed.slice(0, maxFailed).map(({ kind, message = kind, expected, actual }) => ({
      message: message.slice(0, maxText),
      ...(expected !== undefined && { expected: cut(expected) }),
      ...(actual !== undefined && { actual: cut(actual) }),
    })),
    leftOut: Math.max(0, failed.length - maxFailed),
  };
}

const cut = (text: string): string => (text.length > maxText ? `${text.slice(0, maxText)}…` : text);
