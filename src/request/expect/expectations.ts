import type * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import type { RequestOperation } from '../text/methods.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { RuleId } from '../../protocol/ruleId.ts';
import { taskStates, type TaskState } from '../../protocol/message/taskState.ts';
import { nodeAt, rangeOf, type JsonNode, type Member } from '../text/jsonNode.ts';
import { operationOf } from '../text/methods.ts';
import { showPath, type Path } from '../text/path.ts';
import { mistakeLines, valueMistakes } from '../text/valueMistake.ts';
import { RequestFault } from '../text/requestFault.ts';
import type { Located, TextRange } from '../text/textRange.ts';
import { shown, type Check } from './check.ts';
import { findingLine, lineOfFinding } from './findings.ts';
import { mayBeRefused } from './http.ts';
import { Expect, kinds, type Kind } from './kinds.ts';
import type { Observed } from './observed.ts';
import { withinSearchTime } from './pattern.ts';

/** The request whose answer is expected, as its file has it. */
interface ExpectingRequest {
  readonly members: ReadonlyMap<string, Member>;
  readonly nameRange: TextRange;
  readonly operation?: RequestOperation;
  readonly method?: Located<string>;
}

/** How one expectation came out. */
export interface ExpectationResult {
  /** `answer` is implied: a request whose answer is expected must have one. */
  readonly kind: Kind | 'answer';
  readonly ok: boolean;
  /** Where it is written. */
  readonly range: TextRange;
  readonly message: LocalizedMessage;
  /** Texts to hold against each other. */
  readonly expected?: string;
  readonly actual?: string;
}

const failedStates: readonly TaskState[] = ['TASK_STATE_FAILED', 'TASK_STATE_REJECTED', 'TASK_STATE_CANCELED'];

/**
 * Holds `expect` against what came. `wanted` is its value with templates filled in; a request that has none only expects an answer.
 * `member` is where it is written, if not under `expect`. An error that is not expected, and a task that failed where no state is expected, are failures too.
 */
export function checkExpectations(
  entry: ExpectingRequest,
  wanted: unknown,
  observed: Observed,
  member: Member | undefined = entry.members.get('expect'),
): readonly ExpectationResult[] {
  const node = member?.value;
  const whole = member?.nameRange ?? entry.nameRange;
  const read = Expect.safeParse(wanted ?? {});
  if (!read.success) return [unreadable(read.error, wanted, node, whole)];
  const { data } = read;
  const { problem, task } = observed;
  if (problem !== undefined && data.error === undefined && !mayBeRefused(data.status, observed)) {
    return [
      {
        kind: 'answer',
        ok: false,
        range: problem instanceof RequestFault ? problem.range : whole,
        message: problem.sentence,
        actual: problem.details,
      },
    ];
  }
  const results = withinSearchTime(() =>
    (Object.keys(kinds) as Kind[])
      .filter(kind => data[kind] !== undefined)
      .flatMap(kind =>
        checked(kind, data[kind], observed).map(({ path, failure }): ExpectationResult => {
          const range = placeOf(node, [kind, ...path]) ?? whole;
          return failure === undefined
            ? { kind, ok: true, range, message: sentence('{0} is as expected.', kind) }
            : { kind, ok: false, range, ...failure };
        }),
      ),
  );
  if (task !== undefined && failedStates.includes(task.status.state) && !saysState(data) && !isCanceledAsAsked(entry, observed)) {
    const { label } = taskStates[task.status.state];
    results.push({
      kind: 'answer',
      ok: false,
      range: whole,
      message: sentence('The task is {0}.', label),
      expected: taskStates.TASK_STATE_COMPLETED.label,
      actual: label,
    });
  }
  if (task === undefined && observed.message?.parts.length === 0) {
    results.push({ kind: 'answer', ok: false, range: whole, message: sentence('The agent answered with a message that has no parts.') });
  }
  // With `findings` the file itself decides which deviations are allowed.
  if (data.findings === undefined) results.push(...doubts(observed, whole));
  return results.length > 0 ? results : [{ kind: 'answer', ok: true, range: whole, message: sentence('{0} is as expected.', 'answer') }];
}

/** Rules whose deviations mean that a request cannot count as successful: unless deviations are expected, it has failed. */
const decisive: ReadonlySet<RuleId> = new Set<RuleId>(['RPC-08', 'HTTP-07', 'STRM-11']);

/** Deviations that leave open whether the request succeeded. */
function doubts({ findings = [] }: Observed, range: TextRange): readonly ExpectationResult[] {
  const [first] = findings.filter(({ rule }) => decisive.has(rule));
  if (first === undefined) return [];
  return [
    {
      kind: 'findings',
      ok: false,
      range,
      actual: shown(findings.map(findingLine).join('\n')),
      message: sentence(
        'The agent does not follow the protocol in a way that leaves open whether the request succeeded: {0}',
        lineOfFinding(first),
      ),
    },
  ];
}

/** True where the final state of the task is expected explicitly. */
const saysState = ({ state, states, error, paths }: z.infer<typeof Expect>): boolean =>
  state !== undefined ||
  states !== undefined ||
  error !== undefined ||
  (isObject(paths) && Object.keys(paths).some(path => /(^|\.)state$/.test(path)));

/** True for a task that was canceled on request. */
const isCanceledAsAsked = ({ operation, method }: ExpectingRequest, { task, cancelAsked }: Observed): boolean =>
  task?.status.state === 'TASK_STATE_CANCELED' &&
  ((operation ?? operationOf(method?.value ?? '')) === 'CancelTask' || cancelAsked === true);

/** Checks of one kind. An expectation that cannot be checked, for example for a bad expression, fails with the reason. */
function checked(kind: Kind, wanted: unknown, observed: Observed): readonly Check[] {
  try {
    return kinds[kind].check(wanted, observed);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [{ path: [], failure: { message: error.sentence } }];
  }
}

function unreadable(error: z.ZodError, wanted: unknown, node: JsonNode | undefined, whole: TextRange): ExpectationResult {
  const mistakes = valueMistakes(error, wanted);
  const named = (at: Path): string => `expect${showPath(at)}`;
  const { path, what } = mistakes[0]!;
  return {
    kind: 'answer',
    ok: false,
    range: placeOf(node, path) ?? whole,
    message: sentence('The expectation {0} is invalid: {1}.', named(path), what),
    actual: mistakeLines(mistakes, named),
  };
}

/** Where a path leads in the text, or as far towards it as there is text. */
function placeOf(node: JsonNode | undefined, path: Path): TextRange | undefined {
  const at = nodeAt(node, path);
  return at === undefined || at === node ? undefined : rangeOf(at);
}
