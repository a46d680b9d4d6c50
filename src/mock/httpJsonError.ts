import type { Version } from '../protocol/versions/shared/version.ts';
import type { ScriptedError, ResponseFormat } from './binding.ts';
import { errorDetails } from './errorDetails.ts';

interface Status {
  readonly http: number;
  /** `google.rpc.Code`. */
  readonly name: string;
}

const invalid: Status = { http: 400, name: 'INVALID_ARGUMENT' };
const precondition: Status = { http: 400, name: 'FAILED_PRECONDITION' };
const internal: Status = { http: 500, name: 'INTERNAL' };
const notFound: Status = { http: 404, name: 'NOT_FOUND' };

/** A2A 1.0 §5.4. */
const statuses: Readonly<Record<number, Status>> = {
  [-32700]: invalid,
  [-32600]: invalid,
  [-32601]: notFound,
  [-32602]: invalid,
  [-32603]: internal,
  [-32001]: notFound,
  [-32002]: precondition,
  [-32003]: precondition,
  [-32004]: precondition,
  [-32005]: invalid,
  [-32006]: internal,
  [-32007]: precondition,
  [-32008]: precondition,
  [-32009]: precondition,
};

/**
 * An error over HTTP+JSON: `google.rpc.Status` with the error's reason (A2A 1.0 §11.6). 0.3 does not define the shape; this is the one of
 * its JavaScript SDK, which has the code.
 */
export function httpJsonError(error: ScriptedError, form: Version): ReturnType<ResponseFormat['error']> {
  const { code, message, data } = error;
  const { http, name } = statuses[code] ?? internal;
  if (form.header === undefined)
    return { status: code === -32002 ? 409 : http, body: { code, message, ...(data !== undefined && { data }) } };
  const details = errorDetails(error, form);
  return {
    status: http,
    body: { error: { code: http, status: name, message, details: Array.isArray(details) ? (details as unknown[]) : [] } },
  };
}
