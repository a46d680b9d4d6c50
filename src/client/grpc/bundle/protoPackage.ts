import type { Operation } from '../../../protocol/message/operations.ts';

/**
 * A field by its number and type: a scalar of protocol buffers, a message or enum of the package, or `Struct`, `Value`, `Timestamp`. After
 * the type, `[]` means repeated, `?` optional, and `map` the values of a map with string keys. The third item names its oneof.
 */
export type FieldRow = readonly [number: number, type: string, oneof?: string];

/** The enums and messages of a protocol buffers package, by their ProtoJSON names. */
export interface ProtoPackage {
  readonly name: string;
  /** Values in the order of their numbers, from 0. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
  readonly messages: Readonly<Record<string, Readonly<Record<string, FieldRow>>>>;
}

/** Callable over gRPC: an operation, or the card, which other bindings get over HTTP (0.3 §7.10, 1.0 §3.1.11). */
export type GrpcOperation = Operation | 'AgentCard';

/** A package with the service whose methods are the operations. */
export interface ServicePackage extends ProtoPackage {
  readonly service: string;
  readonly methods: { readonly [O in GrpcOperation]?: readonly [method: string, request: string, answer: string] };
}
