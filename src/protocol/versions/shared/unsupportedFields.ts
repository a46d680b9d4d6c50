/**
 * Core members that some protocol version cannot express.
 *
 * To add one: a row here, and its name in `unsupported` of the version. The round trip test fails for one too few or too many.
 */
export const unsupportedFields = {
  tenant: 'The tenant of a request.',
  'part-media-type': 'Media type and file name of a part that is text or data.',
  'empty-metadata': 'Metadata without members, of a data part whose value must be wrapped.',
  'no-context': "A task or event without a context: it gets the task's id for one.",
  'no-output-modes': 'A configuration that leaves acceptedOutputModes open: they become an empty list.',
  'output-modes': 'Which media types the client accepts.',
  'return-immediately': 'Whether to wait for the end of the work.',
  'message-id': 'The id of a message, and which task and context it belongs to; of a message that is sent, task and context can be said.',
  'new-task': 'A message that starts a task without naming it: the task gets the id of the message.',
  references: 'Tasks that a message refers to.',
  extensions: 'Extensions used in a message or an artifact.',
  'artifact-id': 'The id of an artifact: it becomes a number.',
  'event-context': 'The context of an event of a stream.',
  'message-answer': 'An answer that is a message: it becomes the status of a completed task.',
  'task-event': 'A task as an event of a stream: of it, status and metadata can be said.',
  'cancel-metadata': 'Metadata of a request to cancel.',
  'open-waiting': 'A configuration that leaves returnImmediately open: it becomes false, which means the same.',
  defaults: 'Empty texts and lists of tasks, artifacts and their updates, and false: they are as good as none.',
  rejected: 'The state rejected: it becomes failed.',
  'auth-required': 'The state auth-required: it becomes input-required.',
  contexts: 'Contexts: tasks stand alone.',
  'history-length': "How much of a task's history is wanted.",
  history: 'The history of a task.',
  'history-alone': 'A history that does not end with the message of the status.',
  'request-metadata': 'Metadata of a request.',
  'message-metadata': 'Metadata of a message that is sent, but for the type of the task in it.',
  'input-alone': 'Parts of a message that is sent, but for its one object of data; a message without one cannot be sent.',
  'result-alone': 'Artifacts, but for the one object that a completed task results in.',
  'artifact-event': 'An artifact as an event of a stream: that the task works can be said.',
  'status-message': "The agent's words about a status, but for those of a task that failed, as text with a code; of events, none.",
  timestamp: 'When a status came about.',
  'task-metadata': 'Metadata of a task, but for its type and its input.',
  'event-metadata': 'Metadata of an event, but for the progress in it.',
  'five-states': 'States that are not submitted, working, completed, failed or canceled: rejected becomes failed, any other working.',
  'config-id': 'The id of a configuration of push notifications: a task has one of them.',
  'config-pages': 'Pages of a list of configurations of push notifications.',
  'config-tenant': 'The tenant of a configuration of push notifications.',
  'push-config': 'Where to notify of updates of the task that a message starts.',
} as const satisfies Record<string, string>;

export type UnsupportedField = keyof typeof unsupportedFields;
