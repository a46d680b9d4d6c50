import type { Operation } from '../../../protocol/message/operations.ts';

/**
 * A field by its number and type: a scalar of protocol buffers, a message or enum of the package, or `Struct`, `Value`, `Timestamp`.
 * `[]` after the type repeats it, `?` lets it be absent, `map` makes it the values of a map with string keys. The third member names
 * the oneof it is in.
 */
export type FieldRow = readonly [number: number, type: string, oneof?: string];

/** What can be said in one package of protocol buffers, by the names ProtoJSON has for it. */
export interface ProtoPackage {
  readonly name: string;
  /** Values in the order of their numbers, from 0. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
  readonly messages: Readonly<Record<string, Readonly<Record<string, FieldRow>>>>;
}

/** What is called over gRPC: an operation, or the card, which every other binding gets by HTTP (0.3 §7.10, 1.0 §3.1.11). */
export type GrpcOperation = Operation | 'AgentCard';

/** A package with the service that the operations are methods of. */
export interface ServicePackage extends ProtoPackage {
  readonly service: string;
  readonly methods: { readonly [O in GrpcOperation]?: readonly [method: string, request: string, answer: string] };
}
