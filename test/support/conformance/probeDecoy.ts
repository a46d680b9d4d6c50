import type { SuiteOptions } from '../../../src/conformance/suite.ts';
import type { Script, Step } from '../../../src/mock/script.ts';
import type { Operation, OperationParams } from '../../../src/protocol/message/operations.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import type { CheckedBinding, CheckedVersion, Faults, Kind } from './agent/conformingAgent.ts';
import type { Before, Passed, Passing } from './agent/front.ts';
import type { Verdict } from '../../../src/conformance/rules/rule/verdict.ts';

/** An agent that breaks one rule and keeps all others, of which the suite finds that by asking it. */
export interface ProbeDecoy extends Faults {
  readonly rule: RuleId;
  /** What it does, in a few words. */
  readonly breaks: string;
  /** Both where undefined, as far as the rule holds. */
  readonly versions?: readonly CheckedVersion[];
  /** All where undefined, as far as the rule holds. */
  readonly bindings?: readonly CheckedBinding[];
  /** `full` where undefined. */
  readonly kind?: Kind;
  /** `fail` where undefined; of a rule that is no MUST `warn`. */
  readonly verdict?: Verdict;
  /** Rules that are broken along with it, since they want the same of the same answer. */
  readonly also?: readonly RuleId[];
  readonly suite?: Partial<SuiteOptions>;
}

/** A request for an operation, as scripts get it. */
export type Asked<O extends Operation = Operation> = Omit<
  Parameters<Extract<NonNullable<Script[O]>, (...args: never) => unknown>>[0],
  'params'
> & {
  readonly params: OperationParams[O];
};
/** JSON, or an answer, of which a decoy changes a member. */
type Loose = ReturnType<typeof JSON.parse>;
type Steps = Iterable<Step> | AsyncIterable<Step>;

/** What the agent that keeps the rules does with a request, or with another in its place. */
const does = <O extends Operation>(right: Script, operation: O, request: Asked<O>): Steps =>
  (right[operation] as unknown as (request: Asked<O>) => Steps)(request);

/** An operation is done otherwise. */
export const otherwise =
  <O extends Operation>(operation: O, turn: (request: Asked<O>, right: (request: Asked<O>) => Steps) => Steps) =>
  (script: Script): Script =>
    ({ [operation]: (request: Asked<O>) => turn(request, other => does(script, operation, other)) }) as unknown as Script;

/** The steps of an operation are changed one by one; undefined leaves one out. */
export const changed = <O extends Operation>(
  operation: O,
  change: (step: Step, request: Asked<O>, index: number) => Step | readonly Step[] | undefined,
) =>
  otherwise(operation, async function* (request, right) {
    let index = 0;
    for await (const step of right(request)) {
      const other = change(step, request, index++);
      if (other !== undefined) yield* Array.isArray(other) ? (other as Step[]) : [other as Step];
    }
  });

/** The answer of an operation is changed. */
export const answering = <O extends Operation>(operation: O, change: (answer: Loose, params: OperationParams[O]) => unknown) =>
  changed(operation, (step, { params }) => ('answer' in step ? { answer: change(step.answer, params) as never } : step));

/** An operation is answered with an error. */
export const refusing = (operation: Operation, code: number, message = 'No') => otherwise(operation, () => [{ error: { code, message } }]);

/** A request is asked otherwise. */
export const asking = <O extends Operation>(operation: O, other: (params: OperationParams[O]) => OperationParams[O]) =>
  otherwise(operation, (request, right) => right({ ...request, params: other(request.params) }));

/** The state of a task; undefined for one that the agent does not know. */
export async function stateOf(right: Script, request: Asked, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  for await (const step of does(right, 'GetTask', { ...request, params: { id } } as Asked<'GetTask'>))
    if ('answer' in step) return (step.answer as Loose).status.state;
  return undefined;
}

/** Whether the agent knows a task. */
export const knows = async (right: Script, request: Asked, id: string | undefined): Promise<boolean> =>
  (await stateOf(right, request, id)) !== undefined;

/** Requests of a kind are passed on otherwise. */
export const passing =
  (isMeant: (request: Passing) => boolean, other: (request: Passing) => Partial<Passing>) =>
  (right: Before): Before =>
  (request, pass) =>
    isMeant(request) ? right({ ...request, ...other(request) }, more => pass({ ...other(request), ...more })) : right(request, pass);

/** Answers to requests of a kind are told otherwise. */
export const telling =
  (isMeant: (request: Passing) => boolean, other: (answer: Passed, request: Passing) => Passed) =>
  (right: Before): Before =>
  async (request, pass) => {
    const answer = await right(request, pass);
    return answer !== undefined && isMeant(request) ? other(answer, request) : answer;
  };

/** The JSON of answers to requests of a kind is told otherwise. */
export const retelling = (isMeant: (request: Passing) => boolean, change: (json: Loose) => unknown) =>
  telling(isMeant, answer => ({ ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) }));

export const isForCard = ({ url }: Passing): boolean => url.startsWith('/.well-known/agent-card.json');
