import { fromBinary, toJson, type FileRegistry } from '@bufbuild/protobuf';
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
  },
};

let schema: FileRegistry | undefined;

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
  schema ??= schemaOf(googleRpc);
  const known = schema.getMessage(type);
  try {
    if (known !== undefined) return toJson(known, fromBinary(known, value)) as Readonly<Record<string, unknown>>;
  } catch {
    // An agent may send anything; what cannot be decoded is shown as bytes.
  }
  return { value: Buffer.from(value).toString('base64') };
}
