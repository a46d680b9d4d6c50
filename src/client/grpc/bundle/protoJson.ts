import { ScalarType, toJson, type DescMessage, type JsonObject, type JsonValue, type Message } from '@bufbuild/protobuf';
import type { MessageAt } from './messagesIn.ts';

/** Bytes fields of at least this length are converted separately. */
const long = 16 * 1024;

/**
 * Converts a message to ProtoJSON. Long bytes fields are converted to base64 with Node, since the protobuf runtime takes seconds for a
 * picture of some megabytes. They are removed from the message.
 * @param messages the message and all messages inside it
 */
export function protoJson(schema: DescMessage, message: Message, messages: readonly MessageAt[]): JsonValue {
  const taken = messages.flatMap(({ message: inner, path }) =>
    inner.fields.flatMap(field => {
      if (field.fieldKind !== 'scalar' || field.scalar !== ScalarType.BYTES || !inner.isSet(field)) return [];
      const bytes = inner.get(field) as Uint8Array;
      if (bytes.byteLength < long) return [];
      inner.set(field, new Uint8Array());
      return [{ path, name: field.jsonName, text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') }];
    }),
  );
  const json = toJson(schema, message);
  for (const { path, name, text } of taken) {
    const holder = path.reduce<JsonValue>((value, step) => (value as { readonly [step: string | number]: JsonValue })[step]!, json);
    (holder as JsonObject)[name] = text;
  }
  return json;
}
