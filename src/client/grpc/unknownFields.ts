import type { DescMessage, Message } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';

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

/** The fields of a message and all messages inside it that its schema does not know, in their order on the wire. */
export function unknownFields(schema: DescMessage, message: Message): readonly UnknownField[] {
  const found: UnknownField[] = [];
  visit(reflect(schema, message), '', found);
  return found;
}

function visit(message: ReflectMessage, pointer: string, found: UnknownField[]): void {
  // What is inside well-known types has no fields of its own in ProtoJSON.
  if (message.desc.typeName.startsWith('google.protobuf.')) return;
  for (const { no, data } of message.getUnknown() ?? []) {
    if (found.length >= limit) return;
    found.push({ pointer, typeName: message.desc.typeName, number: no, byteLength: data.byteLength });
  }
  for (const field of message.sortedFields) {
    if (found.length >= limit) return;
    if (!message.isSet(field)) continue;
    if (field.fieldKind === 'message') {
      visit(message.get(field), `${pointer}/${field.jsonName}`, found);
    } else if (field.fieldKind === 'list' && field.listKind === 'message') {
      let index = 0;
      for (const item of message.get(field)) visit(item as ReflectMessage, `${pointer}/${field.jsonName}/${index++}`, found);
    }
  }
}
