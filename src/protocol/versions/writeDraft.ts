import type { Message } from '../message/message.ts';
import type { Part } from '../message/part.ts';
import { taskStates, type TaskState } from '../message/taskState.ts';
import { withoutUndefined } from './shared/fields.ts';
import { nestedWriters } from './shared/nestedWriters.ts';
import { writeNestedPart } from './shared/writeNestedPart.ts';

type Fields = Readonly<Record<string, unknown>>;

const part = (value: Part): Fields => writeNestedPart(value, 'mediaType');

/** The lower-case states of 0.3. */
export const writeState = (state: TaskState): string => taskStates[state].label;

export const writeMessage = (message: Message): Fields => ({
  ...message,
  role: message.role === 'ROLE_USER' ? 'user' : 'agent',
  parts: message.parts.map(part),
});

/** A task, and one event in its wrapper. The drafts still have `final`. */
export const { writeTask, writeStreamResponse } = nestedWriters({
  message: writeMessage,
  part,
  state: writeState,
  omitDefaults: withoutUndefined,
});
