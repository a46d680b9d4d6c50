/** Why a call failed, as data for an error message. */
export type GrpcFault =
  /** The request does not fit the package: an unknown member, or a value of the wrong type. Nothing was sent. */
  | { readonly kind: 'request' }
  /** No connection within the time limit. Nothing was sent. */
  | { readonly kind: 'connect-timeout' }
  /** The agent, or a proxy before it, answered with a status other than OK. */
  | { readonly kind: 'status'; readonly status: number; readonly details: readonly Readonly<Record<string, unknown>>[] }
  /** An HTTP answer that is not gRPC. */
  | { readonly kind: 'http'; readonly status: number }
  /** A message that cannot be decoded, with its bytes. */
  | { readonly kind: 'unreadable'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  /** A message with more fields than are read, with its bytes. */
  | { readonly kind: 'too-many'; readonly maxFields: number; readonly bytes: Uint8Array }
  | { readonly kind: 'deadline' }
  /** The connection broke, or the bytes were not HTTP/2; `cause` has the reason. */
  | { readonly kind: 'connection' };

/**
 * How far a call had come: `connecting`, nothing was sent; `sent`, nothing was received; `answering`, the headers of the answer were
 * received.
 */
export type GrpcStage = 'connecting' | 'sent' | 'answering';

export class GrpcFailure extends Error {
  readonly fault: GrpcFault;
  readonly stage: GrpcStage;

  constructor(message: string, fault: GrpcFault, stage: GrpcStage, cause?: unknown) {
    super(message, { cause });
    this.name = 'GrpcFailure';
    this.fault = fault;
    this.stage = stage;
  }
}
