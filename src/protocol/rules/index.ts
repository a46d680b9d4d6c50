/** How binding a rule is: the word of the specification (RFC 2119), or `tool` for a rule of this tool. */
export type RuleLevel = 'MUST' | 'SHOULD' | 'tool';

export interface Rule {
  readonly level: RuleLevel;
  readonly title: string;
  /** Section of the A2A 1.0 specification. */
  readonly section: string;
  /** Set where a deviation means that the request cannot count as successful: unless deviations are expected, it has failed. */
  readonly decidesSuccess?: true;
}

/** The conformance rules that are checked while reading, by id. */
export const rules = {
  'CARD-01': { level: 'MUST', title: 'An agent card is one JSON object', section: '8.1' },
  'CARD-03': { level: 'MUST', title: 'The card has every required member', section: '4.4.1' },
  'CARD-05': { level: 'MUST', title: 'Each interface has url, protocolBinding and protocolVersion', section: '4.4.6' },
  'CARD-02': { level: 'SHOULD', title: 'The card is at agent-card.json, and one at an older place says the same', section: '8.2' },
  'CARD-06': { level: 'MUST', title: 'The address of an interface is absolute and can be connected to', section: '4.4.6' },
  'CARD-07': { level: 'MUST', title: 'An interface supports the binding and the version it declares', section: '8.3.1' },
  'EXT-01': { level: 'MUST', title: 'An extension that the card requires is asked for', section: '3.3.4' },
  'EXT-02': { level: 'SHOULD', title: 'The answer lists the extensions that are active', section: '3.2.6' },
  'VER-01': { level: 'MUST', title: 'An agent supports the versions its card declares', section: '3.6.2' },
  'RPC-01': { level: 'MUST', title: "JSON-RPC envelope: version 2.0, the request's id, one of result and error", section: '9.1' },
  'RPC-08': { level: 'MUST', title: 'An answer is to the request that was sent', section: '9.1', decidesSuccess: true },
  'RPC-02': { level: 'MUST', title: 'The answer has the media type of its binding', section: '9.1' },
  'HTTP-02': { level: 'SHOULD', title: 'The answer has the media type of HTTP+JSON', section: '11.1' },
  'HTTP-06': { level: 'MUST', title: 'Answers and events stand for themselves, without an envelope', section: '11.7' },
  'HTTP-07': { level: 'MUST', title: 'A result comes with an HTTP status of success', section: '5.4', decidesSuccess: true },
  'GRPC-04': { level: 'tool', title: 'Messages have no fields that the protocol version does not know', section: '10.3' },
  'GRPC-05': { level: 'MUST', title: 'A plain call is answered with one message', section: '10.3' },
  'VER-04': { level: 'MUST', title: 'The answer has the shape of the requested protocol version', section: '3.6.2' },
  'CORE-01': { level: 'MUST', title: 'A send is answered with exactly one of task and message', section: '3.1.1' },
  'CORE-02': { level: 'MUST', title: 'A message to a task that is over is refused', section: '3.1.1' },
  'CORE-03': { level: 'MUST', title: 'What is answered about a task is about the one that was asked for', section: '3.1.3' },
  'DATA-01': { level: 'MUST', title: 'Tasks, messages, artifacts and events have their required members', section: '4.1' },
  'DATA-02': { level: 'MUST', title: 'Enum values are written as their generation writes them', section: '5.5' },
  'DATA-03': { level: 'MUST', title: 'Each part has exactly one content member', section: '4.1.6' },
  'DATA-04': { level: 'MUST', title: 'Timestamps are ISO 8601 in UTC', section: '5.6.1' },
  'DATA-06': { level: 'MUST', title: 'Events carry taskId and contextId', section: '4.2' },
  'DATA-07': { level: 'SHOULD', title: "A task's history and its status tell the same message", section: '3.7' },
  'STRM-02': { level: 'MUST', title: 'A stream begins with a task, or is one message', section: '3.1.2' },
  'STRM-03': { level: 'MUST', title: 'Nothing follows a terminal state', section: '3.1.2' },
  'STRM-11': { level: 'MUST', title: 'A task has one end, and no error comes after it', section: '3.1.2', decidesSuccess: true },
  'STRM-04': { level: 'MUST', title: 'Order is kept: no append before create, none after lastChunk', section: '3.5.2' },
  'STRM-08': { level: 'tool', title: 'What replaces an artifact has as much in it', section: '4.2.2' },
  'STRM-09': { level: 'tool', title: 'The data of an event is one JSON text in one line, and a blank line follows', section: '9.4.2' },
  'STRM-10': { level: 'tool', title: 'A text is told under one artifactId, not again under another', section: '4.1.7' },
  'PUSH-05': { level: 'MUST', title: 'A notification is exactly one of task, message, statusUpdate and artifactUpdate', section: '4.3.3' },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

/** True where a deviation from the rule means that the request cannot count as successful. */
export const decides = (id: RuleId): boolean => (rules[id] as Rule).decidesSuccess === true;

/** The rule with that id; undefined for one from another version of this product. */
export const ruleOf = (id: string): Rule | undefined => (Object.hasOwn(rules, id) ? rules[id as RuleId] : undefined);
