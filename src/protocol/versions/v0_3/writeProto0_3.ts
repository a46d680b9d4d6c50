import type { Message } from '../../message/message.ts';
import type { Part } from '../../message/part.ts';
import type { TaskState } from '../../message/taskState.ts';
import { nestedWriters } from '../shared/nestedWriters.ts';
import { writeNestedPart } from '../shared/writeNestedPart.ts';

type Fields = Readonly<Record<string, unknown>>;

/** ProtoJSON omits members with default values: empty texts and lists, and false. */
const withoutDefaults = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );

const part = (value: Part): Fields => writeNestedPart(value, 'mimeType');

/** A message (`a2a.v1.Message`): its parts are called `content`. References to other tasks are lost. */
export const writeMessage = ({ referenceTaskIds: _, parts, ...rest }: Message): Fields =>
  withoutDefaults({ ...rest, content: parts.map(part) });

/** The default of the enum is omitted; CANCELLED has two l here. */
const states: { readonly [S in TaskState]?: string } = { TASK_STATE_UNSPECIFIED: '', TASK_STATE_CANCELED: 'TASK_STATE_CANCELLED' };

/** A task (`a2a.v1.Task`), and one event or the answer to a send in its wrapper (`a2a.v1.StreamResponse`). */
export const { writeTask, writeStreamResponse } = nestedWriters({
  message: writeMessage,
  part,
  state: state => states[state] ?? state,
  omitDefaults: withoutDefaults,
});
