import * as assert from 'node:assert/strict';
import { A2AService as Service1_0 } from '@a2a-js/sdk/server/grpc';
import { A2AService as Service0_3 } from '@a2a-js/sdk-0.3/server/grpc';
import { fromBinary, fromJson, toBinary, toJson, type JsonValue } from '@bufbuild/protobuf';
import { a2aV1 } from '../../../src/client/grpc/bundle/a2aV1.ts';
import { lfA2aV1 } from '../../../src/client/grpc/bundle/lfA2aV1.ts';
import type { FieldRow, ServicePackage } from '../../../src/client/grpc/bundle/protoPackage.ts';
import { schemaOf } from '../../../src/client/grpc/bundle/schema.ts';

interface SdkMethod {
  readonly requestSerialize: (value: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

interface Row {
  readonly source: ServicePackage;
  readonly service: Readonly<Record<string, SdkMethod>>;
  /** Fields that the SDK does not have: `Message.field`. */
  readonly unknownThere: readonly string[];
}

const rows: readonly Row[] = [
  { source: lfA2aV1, service: Service1_0 as unknown as Row['service'], unknownThere: [] },
  { source: a2aV1, service: Service0_3 as unknown as Row['service'], unknownThere: ['Part.metadata', 'FilePart.name'] },
];

/** A message with every field, each text being the name of its field; of oneofs the members take turns. */
function full({ source, unknownThere }: Row, name: string, turn: number): JsonValue {
  const entries = Object.entries(source.messages[name] ?? {}).filter(([field]) => !unknownThere.includes(`${name}.${field}`));
  const chosen = (oneof: string): string => {
    const members = entries.filter(([, row]) => row[2] === oneof);
    return members[turn % members.length]![0];
  };
  return Object.fromEntries(
    entries
      .filter(([field, row]) => row[2] === undefined || chosen(row[2]) === field)
      .map(([field, row]) => [field, valueOf({ source, unknownThere } as Row, field, row, turn)]),
  );
}

function valueOf(row: Row, field: string, [, type]: FieldRow, turn: number): JsonValue {
  const bare = type.replace(/(\[\]|\?| map)$/, '');
  const one = (): JsonValue => {
    switch (bare) {
      case 'string':
        return field;
      case 'bytes':
        return 'AQID';
      case 'bool':
        return true;
      case 'int32':
        return 7;
      case 'Struct':
        return { [field]: field };
      case 'Value':
        return field;
      case 'Timestamp':
        return '2026-01-02T03:04:05.678Z';
    }
    return row.source.enums[bare]?.[2] ?? full(row, bare, turn);
  };
  if (type.endsWith(' map')) return { [field]: one() };
  return type.endsWith('[]') ? [one(), one()] : one();
}

/** Every text in what the SDK read is in the member it is named after. */
function inItsPlace(value: unknown, member: string): void {
  if (typeof value === 'string' && !value.startsWith('2026-')) assert.equal(value, member);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  if ('$case' in value && 'value' in value) return inItsPlace(value.value, String(value.$case));
  if (Array.isArray(value)) return value.forEach(item => inItsPlace(item, member));
  for (const [name, inner] of Object.entries(value)) inItsPlace(inner, name);
}

suite('gRPC schema', () => {
  for (const row of rows) {
    const { source, service } = row;
    const schema = schemaOf(source);
    for (const [method, request, answer] of Object.values(source.methods)) {
      for (const [side, type] of [
        ['request', request],
        ['response', answer],
      ] as const) {
        test(`${source.name} ${method}: the ${side} is the SDK's, field by field`, () => {
          const sdk = service[method[0]!.toLowerCase() + method.slice(1)]!;
          const desc = schema.getMessage(`${source.name}.${type}`)!;
          for (let turn = 0; turn < 5; turn++) {
            const json = full(row, type, turn);
            const bytes = Buffer.from(toBinary(desc, fromJson(desc, json)));
            const read = sdk[`${side}Deserialize`](bytes);
            inItsPlace(read, '');
            // What the SDK does not know, or reads as another type, would be missing here.
            const again = sdk[`${side}Serialize`](read as never);
            // The order of fields is an encoder's own.
            assert.deepEqual([again.byteLength, toJson(desc, fromBinary(desc, again))], [bytes.byteLength, json]);
            assert.deepEqual(toJson(desc, fromBinary(desc, bytes)), json);
          }
        });
      }
    }

    test(`${source.name}: streams are streams`, () => {
      const methods = schema.getService(`${source.name}.${source.service}`)!.methods;
      for (const { name, methodKind } of methods) {
        const streams = (service[name[0]!.toLowerCase() + name.slice(1)] as unknown as { responseStream: boolean }).responseStream;
        assert.equal(methodKind, streams ? 'server_streaming' : 'unary');
      }
    });
  }
});
