import { fromBinary, fromJson, toBinary, toJson, type FileRegistry, type JsonObject } from '@bufbuild/protobuf';
import type { ConnectError } from '@connectrpc/connect';
import { schemaOf } from './schema.ts';
import type { ProtoPackage } from './protoPackage.ts';

/** Messages in the details of errors (A2A 1.0 §10.6). */
const googleRpc: ProtoPackage = {
  name: 'google.rpc',
  enums: {},
  messages: {
    ErrorInfo: { reason: [1, 'string'], domain: [2, 'string'], metadata: [3, 'string map'] },
    BadRequest: { fieldViolations: [1, 'FieldViolation[]'] },
    FieldViolation: { field: [1, 'string'], description: [2, 'string'] },
    Status: { code: [1, 'int32'], message: [2, 'string'], details: [3, 'Detail[]'] },
    // google.protobuf.Any, whose ProtoJSON would need the types of all details.
    Detail: { typeUrl: [1, 'string'], value: [2, 'bytes'] },
  },
};

let schema: FileRegistry | undefined;

const ofType = (type: string): ReturnType<FileRegistry['getMessage']> => (schema ??= schemaOf(googleRpc)).getMessage(type);

/** `google.rpc.Status` in bytes (A2A 1.0 §10.6), with those of the details whose types A2A uses; each is ProtoJSON `Any`. */
export function statusBytes(code: number, message: string, details: readonly unknown[]): Uint8Array {
  const known = details.flatMap(detail => {
    const { '@type': typeUrl, ...members } = detail as JsonObject;
    const type = ofType(String(typeUrl).slice(String(typeUrl).lastIndexOf('/') + 1));
    if (type === undefined) return [];
    const bytes = toBinary(type, fromJson(type, members, { ignoreUnknownFields: true }));
    return [{ typeUrl: String(typeUrl), value: Buffer.from(bytes).toString('base64') }];
  });
  const status = ofType('google.rpc.Status')!;
  return toBinary(status, fromJson(status, { code, message, details: known }));
}

/**
 * The details of an error as ProtoJSON `Any`: `@type`, and the members of those types that A2A uses (§10.6). Of other types, and of details
 * that cannot be decoded, the bytes as base64 in `value`.
 */
export function errorDetails({ details }: ConnectError): readonly Readonly<Record<string, unknown>>[] {
  return details.flatMap(detail => {
    if (!('type' in detail)) return [];
    return [{ '@type': `type.googleapis.com/${detail.type}`, ...membersOf(detail.type, detail.value) }];
  });
}

function membersOf(type: string, value: Uint8Array): Readonly<Record<string, unknown>> {
  const known = ofType(type);
  try {
    if (known !== undefined) return toJson(known, fromBinary(known, value)) as Readonly<Record<string, unknown>>;
  } catch {
    // An agent may send anything; what cannot be decoded is shown as bytes.
  }
  return { value: Buffer.from(value).toString('base64') };
}
