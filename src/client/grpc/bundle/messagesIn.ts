import type { ReflectMessage } from '@bufbuild/protobuf/reflect';

/** A message inside another, and where it is in the ProtoJSON of that. */
export interface MessageAt {
  readonly message: ReflectMessage;
  readonly path: readonly (string | number)[];
}

/** A message and all messages inside it. What is inside well-known types has no fields of its own in ProtoJSON and is left out. */
export function* messagesIn(message: ReflectMessage, path: MessageAt['path'] = []): Generator<MessageAt> {
  yield { message, path };
  for (const field of message.sortedFields) {
    // To get such a message is to make its JSON.
    if (!message.isSet(field) || (field.message?.typeName.startsWith('google.protobuf.') ?? false)) continue;
    if (field.fieldKind === 'message') {
      yield* messagesIn(message.get(field), [...path, field.jsonName]);
    } else if (field.fieldKind === 'list' && field.listKind === 'message') {
      let index = 0;
      for (const item of message.get(field)) yield* messagesIn(item as ReflectMessage, [...path, field.jsonName, index++]);
    }
  }
}
