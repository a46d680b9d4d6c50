import { A2AError, statusNames, type ErrorNames } from '../../protocol/errors.ts';
import { answerNestedTooDeeply } from '../../protocol/json/nesting.ts';
import { isSend } from '../../protocol/message/operations.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { errorByReason, UnauthorizedProblem } from '../transport/agentError.ts';
import { cancelled, ConnectionProblem, connectionProblem, timedOut, type Reached } from '../http/connectionProblem.ts';
import type { GrpcFailure, GrpcFault, GrpcStage } from './bundle/failure.ts';
import type { GrpcOperation } from './bundle/protoPackage.ts';
import { tooLarge } from '../http/httpResponse.ts';
import { askForLess } from '../http/parseJson.ts';

/** Request of a failure that is described. */
export interface GrpcCall {
  readonly url: URL;
  readonly packageName: string;
  readonly operation: GrpcOperation;
  readonly errorNames: ErrorNames;
  readonly timeoutMs: number | undefined;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

type StatusName = (typeof statusNames)[number];

const statusName = (status: number): StatusName => statusNames[status] ?? 'UNKNOWN';

const reachedAt: Readonly<Record<GrpcStage, Reached>> = { connecting: 'no', sent: 'unknown', answering: 'yes' };

/** The agent does not have the method: it uses another protocol version, or does not offer the operation. */
export class UnimplementedProblem extends Problem {
  constructor(packageName: string, words: string) {
    super(
      'grpc-unimplemented',
      sentence('The agent answers that it does not implement this in {0} (gRPC UNIMPLEMENTED): {1}', packageName, words),
      {
        nextStep:
          packageName === 'lf.a2a.v1'
            ? hint(
                sentence(
                  "It may support A2A 0.3 (package a2a.v1): choose protocol version 0.3 in the agent's settings. If not, it does not offer this.",
                ),
                "It may support A2A 0.3 (package a2a.v1): try --interface 'GRPC 0.3'. If not, it does not offer this.",
              )
            : hint(
                sentence(
                  "It may support A2A 1.0 (package lf.a2a.v1): choose protocol version 1.0 in the agent's settings. If not, it does not offer this.",
                ),
                "It may support A2A 1.0 (package lf.a2a.v1): try --interface 'GRPC 1.0'. If not, it does not offer this.",
              ),
      },
    );
    this.name = 'UnimplementedProblem';
  }
}

/** The problem for a failed call. */
export function grpcProblem(failure: GrpcFailure, asked: GrpcCall): Problem {
  const problem = problemOf(failure, asked);
  const { fault } = failure;
  if (fault.kind === 'status') problem.cameWith(fault.status, statusName(fault.status));
  if (fault.kind === 'http') problem.cameWith(fault.status);
  return problem;
}

function problemOf(failure: GrpcFailure, asked: GrpcCall): Problem {
  const reached = reachedAt[failure.stage];
  if (asked.signal?.aborted === true) return cancelled(reached, failure);
  const { fault } = failure;
  switch (fault.kind) {
    case 'request':
      return new Problem(
        'unsayable-request',
        sentence('The request cannot be expressed in the protocol buffers of {0}.', asked.packageName),
        {
          nextStep: sentence('Correct the member that the details name, or use an interface of the agent card that supports JSONRPC.'),
          details: failure.message,
          cause: failure,
        },
      );
    case 'connect-timeout':
      return brokenConnection(Object.assign(new Error(failure.message), { code: 'UND_ERR_CONNECT_TIMEOUT' }), failure, asked);
    case 'status':
      return statusProblem(fault, failure, asked);
    case 'http':
      return httpProblem(fault.status, failure, asked);
    case 'unreadable':
      if (/recursion depth/.test(failure.message)) return answerNestedTooDeeply(failure);
      return new Problem('unreadable-answer', sentence("The agent's answer is not a message of {0}.", asked.packageName), {
        nextStep: hint(
          sentence('Check that the agent supports the protocol version its card claims. The exchange has the bytes.'),
          'Check that the agent supports the protocol version its card claims.',
        ),
        details: failure.message,
        cause: failure,
      });
    case 'too-large':
      return tooLarge();
    case 'too-many':
      return new Problem('too-large', sentence('A message exceeds the limit of {0} fields.', fault.maxFields), {
        nextStep: askForLess,
      });
    case 'deadline':
      return timedOut((asked.timeoutMs ?? 0) / 1000, reached, failure);
    case 'connection':
      return brokenConnection(failure.cause, failure, asked);
  }
}

/** Errors of Node's HTTP/2 that a server with another protocol causes. */
const foreign = /Protocol error|SETTINGS|preface|FRAME_SIZE|HTTP_1_1_REQUIRED/i;

function brokenConnection(cause: unknown, failure: GrpcFailure, asked: GrpcCall): ConnectionProblem {
  const reached = reachedAt[failure.stage];
  if (failure.stage !== 'answering' && cause instanceof Error && foreign.test(cause.message)) {
    return new ConnectionProblem('not-http', sentence('{0} does not support HTTP/2, which gRPC needs.', asked.url.host), reached, {
      nextStep: sentence('Check the port: gRPC often has one of its own. A server that uses TLS needs an https:// address.'),
      details: cause.message,
      cause: failure,
    });
  }
  // A server that refuses a stream has not processed it (RFC 9113 §8.7).
  if (/REFUSED_STREAM/.test(failure.message)) {
    return new ConnectionProblem('connection-lost', sentence('The agent accepted no more requests on this connection.'), 'no', {
      details: failure.message,
      cause: failure,
    });
  }
  return connectionProblem(cause, {
    url: asked.url,
    answering: failure.stage === 'answering',
    headersTimeoutMs: 0,
    connectTimeoutMs: asked.connectTimeoutMs,
  });
}

function httpProblem(status: number, failure: GrpcFailure, asked: GrpcCall): Problem {
  if (status === 401 || status === 403) return new UnauthorizedProblem(status, undefined, failure.message);
  return new Problem(
    'not-grpc',
    status === 200
      ? sentence('{0} does not answer with gRPC.', asked.url.host)
      : sentence('{0} does not answer with gRPC: HTTP {1}.', asked.url.host, status),
    {
      nextStep: sentence("Check that this address leads to the agent's gRPC service."),
      details: failure.message,
      cause: failure,
    },
  );
}

/** The error for a status without a reason (A2A 1.0 §5.4), as agents of 0.3 send it. */
const codes: { readonly [S in StatusName]?: number | ((operation: GrpcOperation) => number | undefined) } = {
  INVALID_ARGUMENT: -32602,
  INTERNAL: -32603,
  NOT_FOUND: -32001,
  FAILED_PRECONDITION: operation => (operation === 'CancelTask' ? -32002 : operation === 'AgentCard' ? -32007 : undefined),
};

function statusProblem({ status, details }: GrpcFault & { kind: 'status' }, failure: GrpcFailure, asked: GrpcCall): Problem {
  const name = statusName(status);
  const words = failure.message;
  const text = details.length === 0 ? undefined : JSON.stringify(details, null, 2);
  const grpcStatus = `gRPC ${name}`;
  const named = errorByReason(details, words, grpcStatus);
  if (named !== undefined) return named;
  switch (name) {
    case 'UNAUTHENTICATED':
      return new UnauthorizedProblem(401, undefined, text, { grpc: name, words });
    case 'PERMISSION_DENIED':
      return new UnauthorizedProblem(403, undefined, text, { grpc: name, words });
    case 'UNIMPLEMENTED':
      return new UnimplementedProblem(asked.packageName, words);
    case 'UNAVAILABLE':
    case 'CANCELLED':
    case 'DEADLINE_EXCEEDED':
      // A proxy may answer with this before or after the agent got the request.
      return new ConnectionProblem(
        name === 'DEADLINE_EXCEEDED' ? 'timeout' : 'connection-lost',
        sentence('The call was interrupted (gRPC {0}): {1}', name, words),
        'unknown',
        {
          nextStep:
            asked.operation !== 'AgentCard' && isSend(asked.operation)
              ? sentence('The agent may have received the request. Look at its tasks before you send again.')
              : undefined,
          details: text,
          cause: failure,
        },
      );
    default: {
      const code = codes[name];
      const rpcCode = typeof code === 'function' ? code(asked.operation) : code;
      if (rpcCode !== undefined)
        return new A2AError(rpcCode, words, details.length === 0 ? undefined : details, asked.errorNames, grpcStatus);
      return new Problem('grpc-error', sentence('The agent answered gRPC {0}: {1}', name, words), {
        nextStep: nextSteps[name],
        details: text,
      });
    }
  }
}

const nextSteps: { readonly [S in StatusName]?: LocalizedMessage } = {
  RESOURCE_EXHAUSTED: sentence('The agent accepts no more requests at the moment. Wait and send again.'),
  UNKNOWN: sentence("Internal error in the agent. Look at the agent's own log at this time."),
};
