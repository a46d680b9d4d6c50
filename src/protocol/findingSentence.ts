import { passiveSentences } from './passiveSentences.ts';
import { sentence, type LocalizedMessage } from './problem.ts';

/**
 * Templates of all findings. Findings are stored as English text beside the data that they are about; their translatable sentence is found
 * here, also for findings in older histories.
 */
const known: readonly LocalizedMessage[] = [
  ...passiveSentences.map(template => sentence(template)),
  sentence('{0} is missing.'),
  sentence('The part should have exactly one content member; it has {0}.'),
  sentence('The answer should hold exactly one of task, message, statusUpdate, artifactUpdate; it holds {0}.'),
  sentence('{0} does not begin with http:// or https://.'),
  sentence('{0} should be a string, not {1}.'),
  sentence("{0} should be the request's, not {1}."),
  sentence('status should be a word, not an object.'),
  sentence('The member should be called {0}, not {1}.'),
  sentence('role should be {0} or {1}, not {2}.'),
  sentence("The role of an agent's message should be {0}, not {1}."),
  sentence('{0} should be {1}, not {2}.'),
  sentence('{0} is not a task state.'),
  sentence('The state {0} is not spelled as in this API.'),
  sentence('The state {0} is not spelled as in this version.'),
  sentence('After the end of its task the agent sent an error: {0}'),
  sentence('The timestamp {0} has no time zone; UTC is assumed.'),
  sentence('The timestamp {0} is not in UTC.'),
  sentence('{0} is not an ISO 8601 timestamp.'),
  sentence('The task should be bare, not inside a member.'),
  sentence('The task should be bare here, not inside a task member.'),
  sentence('The answer should be bare, not inside a member.'),
  sentence('The answer should stand for itself, not inside a JSON-RPC response.'),
  sentence('The answer should be the task, not nothing.'),
  sentence('The answer should hold exactly one of task, message, statusUpdate, artifactUpdate; it is a bare {0}.'),
  sentence('The answer has the shape of A2A {0}, but {1} was used: {2}.'),
  sentence('A2A 0.1 answers with a task, not with a message.'),
  sentence('Another artifact of the task also has this index.'),
  sentence('Another artifact of the task also has this artifactId.'),
  sentence('A notification should stand for itself, not inside a JSON-RPC message.'),
  sentence('The list of tasks should be an object.'),
  sentence('This is not a task.'),
  sentence('{0} is not an object; it was left out.'),
  sentence('The interface has no address; it was left out.'),
  sentence('The bytes should be base64 alone, not a data: URL.'),
  sentence('The bytes are not base64; they are shown as they came.'),
  sentence('The data: URI cannot be read; it is shown as it came.'),
  sentence('The part is a bare string; it is read as text.'),
  sentence('The part is not an object; it is shown as data.'),
  sentence('The part has no content member; it is shown as data.'),
  sentence('kind and type do not exist in 1.0: the content member says what the part is.'),
  sentence('The answer is not a JSON-RPC response object.'),
  sentence('The response has neither result nor error.'),
  sentence('The error should be an object with a code and a message, not {0}.'),
  sentence('The code of the error should be an integer, not {0}.'),
  sentence('The message of the error should be text, not {0}.'),
  sentence('The response has both result and error.'),
  sentence('The card is JSON; its media type should say so, not {0}.'),
  sentence('The answer is JSON; its media type should say so, not {0}.'),
  sentence('The agent answered a plain request with an event stream.'),
  sentence('The agent answered a streaming request without a stream.'),
  sentence('A result should not come with HTTP {0}.'),
  sentence('The stream should come as text/event-stream, not {0}.'),
  sentence('The data of an event is not JSON: {0}'),
  sentence('The data of an event begins with U+001E, as JSON text sequences do; it should be the JSON alone.'),
  sentence('The JSON of an event is spread over {0} data lines; many clients read each line by itself.'),
  sentence('The data of an event begins with a second "data:".'),
  sentence('The last event is not followed by a blank line, so other clients drop it.'),
  sentence('A message of the WebSocket is not JSON: {0}'),
  sentence('{0} has no field {1} in this version; its {2} bytes are in the exchange alone.'),
  sentence('More than one message arrived; the first one counts.'),
  sentence("The extension {0} was asked for, and the answer's headers do not say that it is active."),
  sentence('The agent refused A2A {0}, which its card declares, so it was asked again in {1}.'),
  sentence('The task was {0} when a message was sent; instead of refusing it, the agent started again: the task is {1}.'),
  sentence('The task was {0} when a message was sent; the agent answered instead of refusing it.'),
  sentence('The task was {0} and is reported as {1}; that was ignored.'),
  sentence('The task was {0} and is now reported as {1}.'),
  sentence('The first event of the stream is about the unknown task {0}; a task or a message should come first.'),
  sentence('Another event came after the message, which should come alone.'),
  sentence('The task belongs to context {0} and was reported in {1}; the change was ignored.'),
  sentence('The card has {0} of {1}; the first {2} were read.'),
  sentence('A message holds more than {0} values, the most that is read.'),
  sentence('A message holds more than {0} fields, the most that is read.'),
  sentence('The answer is longer than {0} MiB, the most that is read.'),
  sentence('An event of the stream is longer than {0} MiB, the most that is read.'),
  sentence("The agent's answer is nested more than {0} levels deep, the most that is read."),
  sentence("The agent's answer is not JSON (its media type is {0})."),
  sentence("The agent's answer is not a message of {0}."),
  sentence("The agent's answer has no readable {0} at {1}."),
  sentence("A web page came instead of the agent's answer."),
  sentence("The agent's answer ends in the middle of its JSON."),
  sentence('The answer says that it is compressed ({0}), and cannot be decompressed.'),
  sentence('The answer becomes more than {0} times as long when it is decompressed, the most that is read.'),
  sentence('The answer is not UTF-8.'),
  sentence('The agent answered HTTP {0} with nothing in it.'),
  sentence('The agent answered with neither a task nor a message nor an update of a task.'),
  sentence('The agent answered a plain request with a stream event.'),
  sentence('The agent ended the stream without sending anything.'),
  sentence('The agent ended the call without sending anything.'),
  sentence("Nothing in the agent's stream could be read. It begins with: {0}"),
  sentence('{0} does not answer with gRPC.'),
  sentence('A task holds more than {0} artifacts or messages, the most that is read at once.'),
  sentence('An event came after the task was {0}; it was not applied.'),
  sentence("An event of task {0} arrived in this task's stream; it was ignored."),
  sentence("An event of task {0} arrived in this task's stream; only the end of that task counts for this one."),
  sentence("This task's stream reported task {0} as {1}; if this task does not continue, that counts as its end."),
  sentence('A message to this task was answered with task {0}, which counts as the answer for this one.'),
  sentence('Artifact {0} begins with an append chunk.'),
  sentence('A chunk of artifact {0} came after its last one.'),
  sentence('An update of artifact {0} without append replaced {2} characters with {1}.'),
  sentence('The last message of the history is not the one of the status.'),
  sentence('Message {0} of the history is not the one the status has.'),
  sentence('Invalid input: expected {0}, received {1}'),
  sentence('Too small: expected {0} to have {1} items'),
  sentence('Unrecognized key: {0}'),
  sentence('Unrecognized keys: {0}'),
  sentence('Invalid option: expected one of {0}'),
];

/** A template without its placeholders. */
const literal = (template: string): string => template.replaceAll(/\{\d\}/g, '');

/** Those with more text of their own first: others may match the same message. */
const patterns = known
  .toSorted((one, other) => literal(other.template).length - literal(one.template).length)
  .map(({ template }) => ({
    template,
    pattern: new RegExp(
      `^${template
        .split(/\{\d\}/)
        .map(text => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('([^]*?)')}$`,
    ),
  }));

/**
 * Longest message that is matched, in UTF-16 code units: our own are shorter, and matching longer ones from an imported history could take
 * minutes.
 */
const maxLength = 4_000;

/**
 * The translatable sentence for the English text of a finding. A text that matches no template, such as one from another server, is
 * returned as it is.
 */
export function findingSentence(message: string): LocalizedMessage {
  if (message.length > maxLength) return { template: '{0}', args: [message] };
  for (const { template, pattern } of patterns) {
    const match = pattern.exec(message);
    if (match !== null) return { template, args: match.slice(1) };
  }
  return { template: '{0}', args: [message] };
}
