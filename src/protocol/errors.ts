import { Problem, sentence, type Sentence } from './problem.ts';

/** The errors A2A 1.0 names (§3.3.2, §5.4) and JSON-RPC's own, by JSON-RPC code. */
export const errorNames: Readonly<Record<number, string>> = {
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

const nextSteps: Readonly<Record<string, Sentence>> = {
  MethodNotFoundError: sentence('The agent does not know this method. Check that it speaks the protocol version its card claims.'),
  InvalidParamsError: sentence('Open the exchange to see what was sent, and compare it with what the agent says it wants.'),
  InternalError: sentence('The agent failed inside. Look at the agent\'s own log at this time.'),
  TaskNotFoundError: sentence('The agent no longer has this task. Send a new message without the task to start another.'),
  TaskNotCancelableError: sentence('The task is already over. Refresh it to see how it ended.'),
  UnsupportedOperationError: sentence('The agent does not offer this. A finished task takes no more messages: start a new one in the same context.'),
  ContentTypeNotSupportedError: sentence('Send a media type that the agent card lists under defaultInputModes.'),
  ExtensionSupportRequiredError: sentence('The agent card marks an extension as required. Turn it on and send again.'),
  VersionNotSupportedError: sentence('Choose another interface of the agent card, one with a protocol version the agent speaks.'),
};

/** An error that the agent itself answered. Its message is untrusted text. */
export class A2AError extends Problem {
  /** JSON-RPC error code as received. */
  readonly rpcCode: number;
  /** The specification's name of the error, where the code has one. */
  readonly errorName: string | undefined;
  readonly data: unknown;

  constructor(rpcCode: number, message: string, data?: unknown) {
    const errorName = errorNames[rpcCode];
    super('agent-error', errorName === undefined
      ? sentence('The agent answered with error {0}: {1}', rpcCode, message)
      : sentence('The agent answered with {0} ({1}): {2}', errorName, rpcCode, message), {
      nextStep: errorName === undefined ? undefined : nextSteps[errorName],
      details: data === undefined ? undefined : JSON.stringify(data, null, 2),
    });
    this.name = 'A2AError';
    this.rpcCode = rpcCode;
    this.errorName = errorName;
    this.data = data;
  }
}
