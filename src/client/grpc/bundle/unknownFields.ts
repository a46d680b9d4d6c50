import type { MessageAt } from './messagesIn.ts';

/** A field that is not in the package. Its value is only in the bytes. */
export interface UnknownField {
  /** RFC 6901 pointer to the object with the field, in the message's ProtoJSON. */
  readonly pointer: string;
  readonly typeName: string;
  readonly number: number;
  readonly byteLength: number;
}

/** Most unknown fields that are reported per message. */
const limit = 100;

/** The fields of messages that are not in their schema, in wire order. */
export function unknownFields(messages: Iterable<MessageAt>): readonly UnknownField[] {
  const found: UnknownField[] = [];
  for (const { message, path } of messages) {
    for (const { no, data } of message.getUnknown() ?? []) {
      if (found.length >= limit) return found;
      // Names in the packages contain no characters that need escaping in a pointer.
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
