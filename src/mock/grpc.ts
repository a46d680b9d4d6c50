import { packages } from '../client/grpc/packages.ts';
import type { GrpcOperation } from '../client/grpc/bundle/protoPackage.ts';
import { statusNames } from '../protocol/errors.ts';
import { ignoreFindings } from '../protocol/finding.ts';
import { requireShallowJson } from '../protocol/json/nesting.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import type { Binding, IncomingRequest, ParsedRequest, ResponseFormat, ScriptedError } from './binding.ts';
import { errorDetails } from './errorDetails.ts';
import { grpcNameOf } from './httpJson.ts';
import { paramsOrError } from './paramsOrError.ts';
import { headError } from './requestHead.ts';

const format: ResponseFormat = {
  mediaType: 'application/grpc',
  result: written => written,
  error: ({ code, message }) => ({ status: 404, body: { code, message } }),
};

/** gRPC (A2A 1.0 §10, 0.3 §3.2.2). Calls come over HTTP/2 (`grpcServer`); over HTTP/1.1 there is the card alone. */
export const grpc: Binding = {
  versionFor: version => (packages[version.protocolVersion] === undefined ? undefined : (version.protoForm ?? version)),
  parse: ({ method }) => ({ format, ...(method !== 'GET' && method !== 'HEAD' && { turn: [{ status: 404 }] }) }),
};

/** A call as a request. @param decode gives the ProtoJSON of its message */
export function parsedCall(came: IncomingRequest, operation: GrpcOperation, form: Version, decode: () => unknown): ParsedRequest {
  // The media type of a call is that of gRPC.
  const error = headError({ ...came, body: '' }, form);
  if (operation === 'AgentCard') return { otherMethod: 'extendedCard', format, ...(error !== undefined && { turn: [{ error }] }) };
  if (error !== undefined) return { operation, format, turn: [{ error }] };
  return {
    operation,
    format,
    ...paramsOrError(() => {
      const message = decode();
      requireShallowJson(message);
      return form.readParams(operation, message, ignoreFindings);
    }),
  };
}

/** An error as the status of a call (A2A 1.0 §10.6); 0.3 has no details. */
export function callStatus(error: ScriptedError, form: Version): { readonly code: number; readonly details: readonly unknown[] } {
  const details = form.header === undefined ? undefined : errorDetails(error, form);
  // Methods that are not there are so in gRPC's own words.
  const name = error.code === -32601 ? 'UNIMPLEMENTED' : grpcNameOf(error.code);
  return { code: statusNames.findIndex(each => each === name), details: Array.isArray(details) ? (details as unknown[]) : [] };
}
