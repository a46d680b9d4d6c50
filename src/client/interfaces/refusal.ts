import { A2AError, supportedVersions } from '../../protocol/errors.ts';
import { isSend, type Operation } from '../../protocol/message/operations.ts';
import { Problem } from '../../protocol/problem.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import { UnimplementedProblem } from '../grpc/problem.ts';
import type { ChosenInterface } from './agentInterface.ts';

/** Operations that every agent has (A2A 1.0 §3.1): an agent without them does not support the version. */
const isBasic = (operation: Operation): boolean => isSend(operation) || operation === 'GetTask' || operation === 'CancelTask';

/** An answer that shows that the agent does not support the version. */
export type Refusal = A2AError | UnimplementedProblem;

/**
 * True for an answer that shows that the agent does not support the version and has done nothing: VersionNotSupportedError, or
 * MethodNotFoundError (over gRPC, UNIMPLEMENTED) for an operation that every agent has.
 */
export function refusesVersion(error: unknown, operation: Operation): error is Refusal {
  if (error instanceof UnimplementedProblem) return isBasic(operation);
  if (!(error instanceof A2AError)) return false;
  return error.errorName === 'VersionNotSupportedError' || (error.errorName === 'MethodNotFoundError' && isBasic(operation));
}

/** True where the agent lacks an operation that is not in the version's specification but in some of its servers. That is not a failure. */
export function isLacking({ version }: ChosenInterface, operation: Operation, error: unknown): boolean {
  if (version.unspecifiedOperations?.includes(operation) !== true || !(error instanceof Problem)) return false;
  if (error instanceof A2AError)
    return ['MethodNotFoundError', 'UnsupportedOperationError', 'TaskNotFoundError'].includes(error.meaning ?? '');
  return error.code === 'http-error' || error.code === 'not-json';
}

/**
 * The interface to use instead of one whose version was refused: among those of the card, one with a version that the agent says it
 * supports, else one with another version, preferring the same binding and address.
 */
export function alternativeTo(refused: ChosenInterface, declared: readonly ChosenInterface[], error: Refusal): ChosenInterface | undefined {
  const others = declared.filter(({ version }) => version !== refused.version);
  const supported = new Set(
    supportedVersions('data' in error ? error.data : undefined)
      .map(word => versionOf(word))
      .filter(version => version !== undefined),
  );
  const fitting = supported.size === 0 ? others : others.filter(({ version }) => supported.has(version));
  const distance = ({ transport, interface: { url } }: ChosenInterface): number =>
    (transport === refused.transport ? 0 : 2) + (url === refused.interface.url ? 0 : 1);
  return fitting.toSorted((one, other) => distance(one) - distance(other))[0];
}
