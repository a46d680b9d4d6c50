import type { AgentCard } from '../../card/agentCard.ts';
import type { ErrorNames } from '../../errors.ts';
import type { Note } from '../../finding.ts';
import type { Operation, OperationParams, UnaryOperation, UnaryResults } from '../../message/operations.ts';
import type { StreamResponse } from '../../message/streamResponse.ts';
import type { UnsupportedField } from './unsupportedFields.ts';

interface PushMethods {
  readonly set?: string;
  readonly get?: string;
  readonly list?: string;
  readonly delete?: string;
}

/** Where an operation lives in the HTTP+JSON binding. `{id}` in the path stands for the task's id. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** From the interface's address. */
  readonly path: string;
}

/**
 * One wire generation of A2A: how it spells methods, parameters and answers. Reading is tolerant: it accepts every object it can
 * recognise, notes deviations and throws a `Problem` only where there is nothing to read. Writing is exactly the generation's own shape.
 */
export interface Version {
  /** Major.Minor, the key in the table; what came between releases has a suffix (`1.0-draft`). */
  readonly protocolVersion: string;
  /** Value of the `A2A-Version` header; undefined where the generation has no such header. */
  readonly header: string | undefined;
  /** Name of the header that asks for extensions and tells which are active; undefined where the generation has none. */
  readonly extensionsHeader?: string;
  /** JSON-RPC method of each operation; an operation that is missing cannot be said in this generation. */
  readonly methods: { readonly [O in Operation]?: string };
  /** JSON-RPC methods for webhooks. */
  readonly pushMethods: PushMethods;
  /** HTTP+JSON routes; undefined where the generation has no such binding. */
  readonly routes?: { readonly [O in Operation]?: Route };
  /** Operations above that its specification does not have, and some of its servers do: they are tried. */
  readonly unspecified?: readonly Operation[];
  /** Routes of the task API that is not A2A's; undefined for every generation of A2A. */
  readonly taskRoutes?: { readonly [O in Operation]?: Route };
  /**
   * The same generation in the protobuf form its servers speak over HTTP+JSON and gRPC (ProtoJSON), where that is another form than
   * the one over JSON-RPC.
   */
  readonly protoForm?: Version;
  /** What the numbers of errors mean. */
  readonly errorNames: ErrorNames;
  /** What writing leaves out or changes, because the generation has no words for it. */
  readonly cannotSay: readonly UnsupportedField[];
  /** True where the client names new tasks and contexts (0.1 §6.1); everywhere else the agent does. */
  readonly clientNames: boolean;
  /** True where a stream begins with its task, or is one message (1.0 §3.1.2). */
  readonly announcesTasks?: true;
  /** Path of the card, from the agent's address. */
  readonly cardPath: string;

  /** Core parameters to the `params` of this generation. */
  writeParams<O extends Operation>(operation: O, params: OperationParams[O]): unknown;
  /** The `result` of a unary operation to core shape. */
  readResult<O extends UnaryOperation>(operation: O, result: unknown, note: Note): UnaryResults[O];
  /** One stream event (the `result` inside the envelope) to core shape. */
  readStreamResponse(event: unknown, note: Note): StreamResponse;

  /** The `params` of a request to core shape. @throws Problem `invalid-params` when they lack what the operation needs. */
  readParams<O extends Operation>(operation: O, params: unknown, note: Note): OperationParams[O];
  /** A result in core shape to the `result` of this generation. */
  writeResult<O extends UnaryOperation>(operation: O, result: UnaryResults[O]): unknown;
  /** A core event to the `result` of one stream event. */
  writeStreamResponse(event: StreamResponse): unknown;

  /** A card of this generation to core shape. URLs are left as the card has them. */
  readCard(card: Readonly<Record<string, unknown>>, note: Note): AgentCard;
}
