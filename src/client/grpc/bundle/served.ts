import { fromBinary, fromJson, toBinary, type JsonValue } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { messagesIn } from './messagesIn.ts';
import { protoJson } from './protoJson.ts';
import type { GrpcOperation } from './protoPackage.ts';
import { methodOf, operationsOf, type PackageName } from './service.ts';
import { hasTooManyFields } from './wireValues.ts';

/** A method from the agent's side: requests are read, answers written. */
export interface ServedMethod {
  readonly operation: GrpcOperation;
  /** The ProtoJSON of a request. Throws for bytes that are none, and for more fields than are read. */
  decode(message: Uint8Array): unknown;
  /** The bytes of an answer; members that the package does not have are left out. Throws where a value has no form in it. */
  encode(json: unknown): Uint8Array;
}

/** The methods of a package's service by the paths of their requests. */
export const servedMethods = (packageName: PackageName): ReadonlyMap<string, ServedMethod> =>
  new Map(
    operationsOf(packageName).map(operation => {
      const { parent, name, input, output } = methodOf(packageName, operation);
      const method: ServedMethod = {
        operation,
        decode(bytes) {
          if (hasTooManyFields(bytes, input)) throw new Error('too many fields');
          const message = fromBinary(input, bytes);
          return protoJson(input, message, [...messagesIn(reflect(input, message))]);
        },
        encode: json => toBinary(output, fromJson(output, json as JsonValue, { ignoreUnknownFields: true })),
      };
      return [`/${parent.typeName}/${name}`, method];
    }),
  );
