import type { ReflectMessage } from '@bufbuild/protobuf/reflect';

/** A message inside another, with its path in the ProtoJSON of that. */
export interface MessageAt {
  readonly message: ReflectMessage;
  readonly path: readonly (string | number)[];
}

/** A message and all messages inside it. Well-known types have no fields in ProtoJSON, so what is inside them is left out. */
export function* messagesIn(message: ReflectMessage, path: MessageAt['path'] = []): Generator<MessageAt> {
  yield { message, path };
  for (const field of message.sortedFields) {
    // Reading such a field would convert it to JSON, which is expensive.
    if (!message.isSet(field) || (field.message?.typeName.startsWith('google.protobuf.') ?? false)) continue;
    if (field.fieldKind === 'message') {
      yield* messagesIn(message.get(field), [...path, field.jsonName]);
    } else if (field.fieldKind === 'list' && field.listKind === 'message') {
      let index = 0;
      for (const item of message.get(field)) yield* messagesIn(item as ReflectMessage, [...path, field.jsonName, index++]);
    }
  }
}
