import type { Operation } from '../../message/operations.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../problem.ts';
import { quoted } from '../../quoted.ts';

const openExchange = hint(
  sentence('Open the exchange to see the raw answer.'),
  '--raw prints the answer as it was on the wire; "a2a run" prints it by itself.',
);

/** For an answer, or a member of one, that cannot be read. */
export function unreadable(what: string | LocalizedMessage, pointer: string): Problem {
  return new Problem('unreadable-answer', sentence("The agent's answer has no readable {0} at {1}.", what, pointer || '/'), {
    nextStep: openExchange,
  });
}

/** The answer to a request over JSON-RPC that has neither (JSON-RPC 2.0 §5). */
export const neitherResultNorError = sentence("The agent's answer has neither a result nor an error.");

/** For such an answer. @param body its text */
export const noResult = (body: string): Problem =>
  new Problem('unreadable-answer', neitherResultNorError, { nextStep: openExchange, details: body.slice(0, 2048) });

/** For an event that is none of the four kinds. */
export function noEvent(event: unknown): Problem {
  return new Problem('unreadable-answer', sentence('The agent answered with neither a task nor a message nor an update of a task.'), {
    nextStep: openExchange,
    details: quoted(event, 2048),
  });
}

/** For an update event in place of the task or message that SendMessage returns. */
export function unexpectedUpdate(): Problem {
  return new Problem('unreadable-answer', sentence('The agent answered a non-streaming request with a stream event.'), {
    nextStep: openExchange,
  });
}

/** For an operation that the protocol version does not have. */
export function notInVersion(protocolVersion: string, operation: Operation | 'GetExtendedAgentCard'): Problem {
  return new Problem('operation-not-in-version', sentence('A2A {0} has no {1}.', protocolVersion, operation), {
    nextStep: hint(
      sentence('Use an interface of the agent card that supports 1.0.'),
      'Choose an interface of the agent card that supports 1.0 with --interface 1.0.',
    ),
  });
}
