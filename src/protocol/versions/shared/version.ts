import type { AgentCard } from '../../card/agentCard.ts';
import type { ErrorNames } from '../../errors.ts';
import type { Note } from '../../finding.ts';
import type { Operation, OperationParams, UnaryOperation, UnaryResults } from '../../message/operations.ts';
import type { StreamResponse } from '../../message/streamResponse.ts';
import type { UnsupportedField } from './unsupportedFields.ts';

/** Method and path of an operation in the HTTP+JSON binding. `{id}` and `{taskId}` in the path stand for these parameters. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the interface's address. */
  readonly path: string;
}

/** How a protocol version asks for the extended card (A2A 1.0 §3.1.11, 0.3 §7.10). Over gRPC it is a method of the package. */
interface ExtendedCardRequest {
  /** JSON-RPC methods, the specified one first: some servers of drafts and of other languages have one of the others only. */
  readonly methods: readonly [string, ...string[]];
  /** Path over HTTP+JSON, relative to the interface's address; undefined where there is no such binding. */
  readonly path?: string;
}

/**
 * One protocol version of A2A: how it writes methods, parameters and answers. Reading is tolerant: it accepts every object it can
 * recognize, notes deviations and throws a `Problem` only where nothing can be read. Writing produces exactly the shape of the version.
 */
export interface Version {
  /** Major.Minor, the key in the table; drafts between releases have a suffix (`1.0-draft`). */
  readonly protocolVersion: string;
  /** Value of the `A2A-Version` header; undefined where the version has no such header. */
  readonly header: string | undefined;
  /** Name of the header that requests extensions and lists the active ones; undefined where the version has none. */
  readonly extensionsHeader?: string;
  /** JSON-RPC method of each operation; operations that the version does not have are missing. */
  readonly methods: { readonly [O in Operation]?: string };
  /** HTTP+JSON routes; undefined where the version has no such binding. */
  readonly routes?: { readonly [O in Operation]?: Route };
  /** Operations above that are not in the version's specification but in some of its servers. They are tried. */
  readonly unspecifiedOperations?: readonly Operation[];
  /** Routes of the task API that is not A2A; undefined for every version of A2A. */
  readonly taskRoutes?: { readonly [O in Operation]?: Route };
  /**
   * The same version in the protobuf form (ProtoJSON) that its servers use over HTTP+JSON and gRPC, where it differs from the form over
   * JSON-RPC.
   */
  readonly protoForm?: Version;
  /** How the extended card is asked for; undefined where the version has none. */
  readonly extendedCard?: ExtendedCardRequest;
  /** The meaning of error codes. */
  readonly errorNames: ErrorNames;
  /** Members that writing leaves out or changes because the version cannot express them. */
  readonly unsupported: readonly UnsupportedField[];
  /** True where the client assigns ids to new tasks and contexts (0.1 §6.1); otherwise the agent does. */
  readonly clientAssignsIds: boolean;
  /** True where a stream begins with its task or is a single message (1.0 §3.1.2). */
  readonly announcesTasks?: true;
  /**
   * `final` in one stream event (the `result` inside the envelope): whether the status update is the last event of its stream (0.3 §7.2.2).
   * Undefined for other events, and where it is missing; the function is undefined for versions without the member.
   */
  finalIn?(event: unknown): boolean | undefined;
  /** Path of the card, relative to the agent's address. */
  readonly cardPath: string;

  /** Converts core parameters to the `params` of this version. */
  writeParams<O extends Operation>(operation: O, params: OperationParams[O]): unknown;
  /** Converts the `result` of a unary operation to core shape. */
  readResult<O extends UnaryOperation>(operation: O, result: unknown, note: Note): UnaryResults[O];
  /** Converts one stream event (the `result` inside the envelope) to core shape. */
  readStreamResponse(event: unknown, note: Note): StreamResponse;

  /**
   * Converts the `params` of a request to core shape.
   * @throws Problem `invalid-params` where a required member is missing.
   */
  readParams<O extends Operation>(operation: O, params: unknown, note: Note): OperationParams[O];
  /** Converts a result in core shape to the `result` of this version. */
  writeResult<O extends UnaryOperation>(operation: O, result: UnaryResults[O]): unknown;
  /** Converts a core event to the `result` of one stream event. */
  writeStreamResponse(event: StreamResponse): unknown;

  /** Converts a card of this version to core shape. URLs are kept unchanged. */
  readCard(card: Readonly<Record<string, unknown>>, note: Note): AgentCard;
}
