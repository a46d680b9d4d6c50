import type { MessageAt } from './messagesIn.ts';

/** A field that the package does not know. Its value is in the bytes alone. */
export interface UnknownField {
  /** RFC 6901 pointer to the object it was in, in the message's ProtoJSON. */
  readonly pointer: string;
  readonly typeName: string;
  readonly number: number;
  readonly byteLength: number;
}

/** Most that are told of one message. */
const limit = 100;

/** The fields of messages that their schema does not know, in their order on the wire. */
export function unknownFields(messages: Iterable<MessageAt>): readonly UnknownField[] {
  const found: UnknownField[] = [];
  for (const { message, path } of messages) {
    for (const { no, data } of message.getUnknown() ?? []) {
      if (found.length >= limit) return found;
      // No name in the packages has a character that a pointer would have to escape.
      found.push({
        pointer: path.map(step => `/${step}`).join(''),
        typeName: message.desc.typeName,
        number: no,
        byteLength: data.byteLength,
      });
    }
  }
  return found;
}
