import type { Operation } from '../../protocol/message/operations.ts';
import { isRequestKey, type RequestKey } from './keys.ts';
import { memberOf, membersOf, rangeIn, rangeOf, type JsonNode, type Member } from '../text/jsonNode.ts';
import { operationOf } from '../text/methods.ts';
import { isRawBody, isRemovedKey, rawBody, type RawBody } from './rawBody.ts';
import { templatesIn, type TemplateUse } from '../template/templateUse.ts';
import type { Located, TextRange } from '../text/textRange.ts';

/** One request of a file; it may be incomplete. */
export interface RequestEntry {
  /** Key for its results while the file is open: its name, or `#` and its position. */
  readonly key: string;
  /** Position in the file, from 0. */
  readonly index: number;
  readonly name?: string;
  readonly range: TextRange;
  /** Range of the name, else of the first key, else of the opening brace. */
  readonly nameRange: TextRange;
  /** From the request, else from the file. */
  readonly agent?: Located<string>;
  /** From the request, else from the file: text or an object. Checked when it is sent. */
  readonly interface?: JsonNode;
  /** Those of the file, and then those of the request. Checked when it is sent. */
  readonly headers: readonly JsonNode[];
  /** From the request, else from the file, in milliseconds. Checked when it is sent. */
  readonly timeoutMs?: JsonNode;
  readonly after?: Located<string>;
  readonly method?: Located<string>;
  /** The operation of `method`; undefined where it is absent or unknown. */
  readonly operation?: Operation;
  /** Its members with keys of the format. */
  readonly members: ReadonlyMap<RequestKey, Member>;
  /** Every `{{…}}` in its own agent, headers, message, params, data and expectations, or in the whole of a raw body. */
  readonly templates: readonly TemplateUse[];
  /** For a raw body: its node. */
  readonly raw?: RawBody;
  /** For a raw body: the text to send, as strict JSON with unfilled templates. */
  readonly body?: string;
}

/** The other keys are used when the file is read, not when a request is sent, and cannot contain templates. */
export const templatedKeys: readonly RequestKey[] = ['agent', 'headers', 'message', 'params', 'each', 'expect'];
const contentKeys: readonly RequestKey[] = ['message', 'params', 'method'];

/** True for keys with what is sent; a request has one of them. */
export const isContentKey = (name: string): boolean => (contentKeys as readonly string[]).includes(name);

/** Reads an object of the text as a request. Undefined while it has nothing to send. */
export function readEntry(
  node: JsonNode,
  {
    text: source,
    index,
    alone,
    agent,
    wanted,
    headers,
    timeoutMs,
    taken,
  }: {
    readonly text: string;
    readonly index: number;
    /** True where it is the whole file and not one of several. */
    readonly alone: boolean;
    /** The file's agent, for requests without one. */
    readonly agent: Located<string> | undefined;
    /** The file's interface, for requests without one. */
    readonly wanted: JsonNode | undefined;
    /** The headers of all requests of the file. */
    readonly headers: JsonNode | undefined;
    /** The file's timeout, for requests without one. */
    readonly timeoutMs: JsonNode | undefined;
    /** Names of earlier requests. */
    readonly taken: ReadonlySet<string>;
  },
): RequestEntry | undefined {
  const written = membersOf(node);
  const members = new Map<RequestKey, Member>();
  const raw = isRawBody(node, alone) ? { node, alone } : undefined;
  for (const member of written)
    if (isRequestKey(member.name) && (raw === undefined || isRemovedKey(member.name, raw))) members.set(member.name, member);
  if (raw === undefined && !contentKeys.some(key => members.get(key)?.value !== undefined)) return undefined;
  const text = (key: RequestKey): Located<string> | undefined => locatedString(members.get(key)?.value);
  const name = text('name');
  const method = raw === undefined ? text('method') : locatedString(memberOf(node, 'method')?.value);
  const first = written[0]?.nameRange ?? { offset: node.offset, length: 1 };
  return new ReadEntry(source, {
    key: name === undefined || taken.has(name.value) ? `#${index + 1}` : name.value,
    index,
    name: name?.value,
    range: rangeIn(source, node),
    nameRange: name?.range ?? first,
    agent: text('agent') ?? agent,
    interface: members.get('interface')?.value ?? wanted,
    headers: [headers, members.get('headers')?.value].filter(node => node !== undefined),
    timeoutMs: members.get('timeoutMs')?.value ?? timeoutMs,
    after: text('after'),
    method,
    operation: method === undefined || raw !== undefined ? undefined : operationOf(method.value),
    members,
    raw,
  });
}

interface ReadEntry extends Omit<RequestEntry, 'templates' | 'body'> {}

/** Finds templates on first access: most callers need those of few requests. */
class ReadEntry implements RequestEntry {
  readonly #source: string;
  #templates: readonly TemplateUse[] | undefined;

  constructor(source: string, entry: Omit<RequestEntry, 'templates' | 'body'>) {
    this.#source = source;
    Object.assign(this, entry);
  }

  get body(): string | undefined {
    return this.raw && rawBody(this.#source, this.raw);
  }

  get templates(): readonly TemplateUse[] {
    if (this.#templates !== undefined) return this.#templates;
    const { raw, members } = this;
    const values = templatedKeys.map(key => members.get(key)?.value);
    if (raw !== undefined)
      values.push(
        ...membersOf(raw.node)
          .filter(({ name }) => !isRemovedKey(name, raw))
          .map(({ value }) => value),
      );
    return (this.#templates = values.flatMap(value => (value === undefined ? [] : templatesIn(this.#source, value))));
  }
}

/** The value of a non-empty string. */
export function locatedString(node: JsonNode | undefined): Located<string> | undefined {
  return node?.type === 'string' && node.value !== '' ? { value: String(node.value), range: rangeOf(node) } : undefined;
}
