/** What some generation has no words for, in core terms. */
export const unsayables = {
  'tenant': 'The tenant of a request.',
  'part-media-type': 'Media type and file name of a part that is text or data.',
  'empty-metadata': 'Metadata without members, of a data part whose value must be wrapped.',
  'no-context': 'A task or event without a context: it gets the task\'s id for one.',
  'no-output-modes': 'A configuration that leaves acceptedOutputModes open: they become an empty list.',
  'output-modes': 'Which media types the client accepts.',
  'return-immediately': 'Whether to wait for the end of the work.',
  'message-id': 'The id of a message, and which task and context it belongs to; of a message that is sent, task and context can be said.',
  'new-task': 'A message that starts a task without naming it: the task gets the id of the message.',
  'references': 'Tasks that a message refers to.',
  'extensions': 'Extensions used in a message or an artifact.',
  'artifact-id': 'The id of an artifact: it becomes a number.',
  'event-context': 'The context of an event of a stream.',
  'message-answer': 'An answer that is a message: it becomes the status of a completed task.',
  'task-event': 'A task as an event of a stream: of it, status and metadata can be said.',
  'cancel-metadata': 'Metadata of a request to cancel.',
  'open-waiting': 'A configuration that leaves returnImmediately open: it becomes false, which means the same.',
  'defaults': 'Empty texts and lists of tasks, artifacts and their updates, and false: they are as good as none.',
  'rejected': 'The state rejected: it becomes failed.',
  'auth-required': 'The state auth-required: it becomes input-required.',
} as const satisfies Record<string, string>;

export type Unsayable = keyof typeof unsayables;
