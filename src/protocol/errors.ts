import { isObject } from './json.ts';
import { beginningOf } from './ownText.ts';
import { hint, listOf, Problem, sentence, type LocalizedMessage } from './problem.ts';

/** Names of errors by JSON-RPC code. */
export type ErrorNames = Readonly<Record<number, string>>;

/** Names of the gRPC status codes (`google.rpc.Code`), by number. */
export const statusNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

/** The errors of A2A 1.0 (§3.3.2, §5.4) and of JSON-RPC. */
export const errorNames: ErrorNames = {
  [-32700]: 'ParseError',
  [-32600]: 'InvalidRequestError',
  [-32601]: 'MethodNotFoundError',
  [-32602]: 'InvalidParamsError',
  [-32603]: 'InternalError',
  [-32001]: 'TaskNotFoundError',
  [-32002]: 'TaskNotCancelableError',
  [-32003]: 'PushNotificationNotSupportedError',
  [-32004]: 'UnsupportedOperationError',
  [-32005]: 'ContentTypeNotSupportedError',
  [-32006]: 'InvalidAgentResponseError',
  [-32007]: 'ExtendedAgentCardNotConfiguredError',
  [-32008]: 'ExtensionSupportRequiredError',
  [-32009]: 'VersionNotSupportedError',
};

/** Errors of 0.3 (§8.2). 1.0 agents may answer a 0.3 request with a code that 0.3 does not have, so the names of 1.0 are included. */
export const errorNames0_3: ErrorNames = { ...errorNames, [-32007]: 'AuthenticatedExtendedCardNotConfiguredError' };

/** Errors of 0.1 (§8.2): from -32006 on, the codes have other meanings. */
export const errorNames0_1: ErrorNames = {
  ...errorNames,
  [-32006]: 'StreamingNotSupportedError',
  [-32007]: 'AuthenticationRequiredError',
  [-32008]: 'AuthorizationFailedError',
  [-32009]: 'InvalidTaskStateError',
  [-32010]: 'RateLimitExceededError',
  [-32011]: 'ResourceUnavailableError',
};

/** An error's `reason` in bindings without error codes (A2A 1.0 §5.4): `TaskNotFoundError` is `TASK_NOT_FOUND`. */
export const reasonOf = (errorName: string): string =>
  errorName
    .replace(/Error$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase();

const codeByReason: ReadonlyMap<string, number> = new Map(Object.entries(errorNames).map(([code, name]) => [reasonOf(name), Number(code)]));

/** The JSON-RPC code for an error's `reason` (A2A 1.0 §5.4), such as `TASK_NOT_FOUND`; undefined for any other. */
export const codeOfReason = (reason: unknown): number | undefined =>
  typeof reason === 'string' ? codeByReason.get(reason.replace(/_ERROR$/, '')) : undefined;

const nextSteps: Readonly<Record<string, LocalizedMessage>> = {
  MethodNotFoundError: hint(
    sentence(
      'The agent does not have this method, or uses another protocol version than its card claims. "Choose Interface" or "protocolVersion" in the agent\'s setting "interface" tries another.',
    ),
    'The agent does not know this method, or uses another protocol version than its card claims. Try another with --protocol-version: 1.0, 0.3, 0.2 or 0.1.',
  ),
  InvalidParamsError: hint(
    sentence('Open the exchange and compare the request with what the agent requires.'),
    'Compare the request with what the agent says it requires.',
  ),
  InternalError: sentence("Internal error in the agent. Look at the agent's own log at this time."),
  TaskNotFoundError: sentence('The agent does not have this task. Send a new message without the task to start another.'),
  TaskNotCancelableError: hint(
    sentence('The agent answers that the task cannot be canceled. Refresh the task to see its state.'),
    'The agent answers that the task cannot be canceled. a2a task get prints its state.',
  ),
  UnsupportedOperationError: sentence(
    "The agent does not support this operation, or not in the task's current state. Its own message says why.",
  ),
  ContentTypeNotSupportedError: sentence('Send a media type that the agent card lists under defaultInputModes.'),
  ExtensionSupportRequiredError: hint(
    sentence(
      'The agent requires an extension that was not requested. Turn it on with "Choose Extensions" or in the agent\'s setting "extensions", and send again.',
    ),
    'The agent requires an extension that was not requested. Request it with --extension and its URI.',
  ),
  StreamingNotSupportedError: sentence('The agent does not stream. Send the message without streaming.'),
  AuthenticationRequiredError: hint(
    sentence("Set the credentials that the agent card asks for in the agent's headers."),
    "Give the credentials that the agent card asks for with --header 'Name: value'.",
  ),
  InvalidTaskStateError: hint(
    sentence('The task is in a state that does not allow this. Refresh it to see which.'),
    'The task is in a state that does not allow this. a2a task get says which.',
  ),
  RateLimitExceededError: sentence('The agent accepts no more requests at the moment. Wait and send again.'),
  VersionNotSupportedError: hint(
    sentence('Choose another interface of the agent card, one with a protocol version the agent supports.'),
    'Choose a protocol version the agent supports with --protocol-version: 1.0, 0.3, 0.2 or 0.1.',
  ),
};

const finished = sentence('A finished task accepts no more messages. Start a new one in the same context.');

/** Most versions that are read from an error's details, and the deepest level that is searched. */
const maxVersions = 20;
const maxDepth = 6;

/** Finds `supportedVersions` anywhere in an error's details (A2A 1.0 §6.4): a list, or a text with commas. */
export function supportedVersions(data: unknown, depth = 0): readonly string[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(data))
    return data
      .slice(0, maxVersions)
      .flatMap(item => supportedVersions(item, depth + 1))
      .slice(0, maxVersions);
  if (!isObject(data)) return [];
  const { supportedVersions: said } = data;
  const words = typeof said === 'string' ? said.split(',') : Array.isArray(said) ? said.filter(word => typeof word === 'string') : [];
  if (words.length > 0)
    return words
      .slice(0, maxVersions)
      .map(word => word.trim())
      .filter(Boolean);
  return [data['metadata'], data['details'], data['data']].flatMap(inner => supportedVersions(inner, depth + 1));
}

function nextStepAfter(errorName: string | undefined, data: unknown): LocalizedMessage | undefined {
  const supported = errorName === 'VersionNotSupportedError' ? supportedVersions(data) : [];
  if (supported.length > 0)
    return hint(
      sentence('The agent reports that it supports {0}. Choose an interface with such a version for it.', listOf(supported)),
      'The agent says that it supports {0}. Choose one with --protocol-version.',
    );
  return errorName === undefined ? undefined : nextSteps[errorName];
}

/** Meanings of errors with a generic code, by their message; the first row that matches counts. */
const meanings: readonly (readonly [errorName: string, words: RegExp])[] = [
  ['MethodNotFoundError', /\b(?:unknown|no such) method\b|\bmethod\b.{0,60}\bnot (?:found|implemented|supported)\b/i],
  [
    'TaskNotFoundError',
    /^\W*not found\W*$|TaskNotFound|\b(?:unknown|no such) task\b|\btask\b[^.,]{0,80}\b(?:not found|does ?n[o']t exist)\b|\b(?:not found|could not find|cannot find|can't find)\b.{0,5}\btask\b/i,
  ],
  [
    'AuthenticationRequiredError',
    /\bunauthori[sz]ed\b|\bunauthenticated\b|\bnot authenticated\b|\bauthentication (?:required|failed)\b|\b(?:invalid|expired|missing) (?:access |bearer )?(?:token|credentials|api[ -]?key)\b|\bpermission denied\b/i,
  ],
];
const saysLittle = (rpcCode: number, errorName: string | undefined): boolean => errorName === 'InternalError' || rpcCode === -32000;

function meaningOf(rpcCode: number, errorName: string | undefined, message: string): string | undefined {
  const words = message.slice(0, 1024);
  return (saysLittle(rpcCode, errorName) ? meanings.find(([, pattern]) => pattern.test(words))?.[0] : undefined) ?? errorName;
}

/** Longest data of an error that are kept, and longest words of the agent, in UTF-16 code units. */
const maxData = 1024 * 1024;
const maxSaid = 64 * 1024;

/** An error that the agent itself answered. Its message is untrusted text. */
export class A2AError extends Problem {
  /** JSON-RPC error code as received; for bindings without codes, the code of the error with the same name. */
  readonly rpcCode: number;
  /** The specification's name of the error, where the code has one. */
  readonly errorName: string | undefined;
  /** `errorName`, or for a generic code what the message means. */
  readonly meaning: string | undefined;
  /** Absent where they are too long to be kept. */
  readonly data: unknown;
  /** The agent's own words, as far as they are kept. */
  readonly said: string;
  /** Code of the error as received; its status in bindings without JSON-RPC codes. */
  readonly sent: number | string | LocalizedMessage;

  /**
   * @param names error names of the protocol version in use: the same code has different meanings.
   * @param status shown to people instead of the code, for bindings that have no JSON-RPC codes.
   */
  constructor(rpcCode: number, message: string, data?: unknown, names: ErrorNames = errorNames, status: A2AError['sent'] = rpcCode) {
    const errorName = names[rpcCode];
    const meaning = meaningOf(rpcCode, errorName, message);
    const written = data === undefined || data === null ? undefined : JSON.stringify(data, null, 2);
    super(
      'agent-error',
      errorName === undefined
        ? sentence('The agent answered with error {0}: {1}', status, message)
        : sentence('The agent answered with {0} ({1}): {2}', errorName, status, message),
      {
        nextStep: nextStepAfter(meaning, data),
        details: written,
      },
    );
    this.name = 'A2AError';
    this.rpcCode = rpcCode;
    this.errorName = errorName;
    this.meaning = meaning;
    this.data = written === undefined || written.length > maxData ? undefined : data;
    this.said = beginningOf(message, maxSaid, '…');
    this.sent = status;
  }
}

/**
 * UnsupportedOperationError may mean that the message was sent to a task that has ended (A2A 1.0 §3.1.1). For other tasks the code alone
 * does not say why.
 */
export function adviseOnFinished(error: unknown): void {
  if (error instanceof A2AError && error.meaning === 'UnsupportedOperationError') error.advise(finished);
}

/** True where the agent answered that it does not know the task (TaskNotFoundError, A2A 1.0 §3.3.2). */
export const isTaskNotFound = (error: unknown): error is A2AError => error instanceof A2AError && error.errorName === 'TaskNotFoundError';
