/** How a call failed, for whoever puts it in words. */
export type GrpcFault =
  /** The request cannot be said in the package: a member it does not have, a value of the wrong type. Nothing was sent. */
  | { readonly kind: 'request' }
  /** No connection could be made within the time for it. Nothing was sent. */
  | { readonly kind: 'connect-timeout' }
  /** The agent, or a proxy before it, answered a status other than OK. */
  | { readonly kind: 'status'; readonly status: number; readonly details: readonly Readonly<Record<string, unknown>>[] }
  /** An HTTP answer that is not gRPC. */
  | { readonly kind: 'http'; readonly status: number }
  /** A message that cannot be decoded: its bytes. */
  | { readonly kind: 'unreadable'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  /** A message of more values than are read: its bytes. */
  | { readonly kind: 'too-many'; readonly bytes: Uint8Array }
  | { readonly kind: 'deadline' }
  /** The connection broke, or what came over it was not HTTP/2; `cause` says how. */
  | { readonly kind: 'connection' };

/** How far a call had got: `connecting`, nothing was sent; `sent`, nothing had come back; `answering`, the head of the answer had. */
export type GrpcStage = 'connecting' | 'sent' | 'answering';

/** Thrown across the border of the part that is loaded when it is needed: told by its name, since classes are not shared across it. */
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
