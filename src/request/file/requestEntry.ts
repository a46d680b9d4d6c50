import type { Operation } from '../../protocol/message/operations.ts';
import { isRequestKey, type RequestKey } from './keys.ts';
import { memberOf, membersOf, rangeIn, rangeOf, type JsonNode, type Member } from '../text/jsonNode.ts';
import { operationOf } from '../text/methods.ts';
import { isRawBody, isTakenOut, rawBody, type RawBody } from './rawBody.ts';
import { templatesIn, type TemplateUse } from '../template/templateUse.ts';
import type { Located, TextRange } from '../text/textRange.ts';

/** One request of a file, as far as it is written. */
export interface RequestEntry {
  /** What its results go by while the file is open: its name, or `#` and its position where it has none of its own. */
  readonly key: string;
  /** Position in the file, from 0. */
  readonly index: number;
  readonly name?: string;
  readonly range: TextRange;
  /** The name where it has one, else the first key, else the opening brace. */
  readonly nameRange: TextRange;
  /** Its own, or the file's. */
  readonly agent?: Located<string>;
  /** Its own, or the file's: text, or an object. Checked when it is sent. */
  readonly interface?: JsonNode;
  /** Its own, or the file's, in milliseconds. Checked when it is sent. */
  readonly timeoutMs?: JsonNode;
  readonly after?: Located<string>;
  readonly method?: Located<string>;
  /** What `method` means; undefined where it is absent or unknown. */
  readonly operation?: Operation;
  /** Its members that the format knows, by key. */
  readonly members: ReadonlyMap<RequestKey, Member>;
  /** Every `{{…}}` of its own agent, message, params, data and expectations, and of the whole of a raw body. */
  readonly templates: readonly TemplateUse[];
  /** For a raw body: where it stands. */
  readonly raw?: RawBody;
  /** For a raw body: the text to send, strict JSON, its templates as they are written. */
  readonly body?: string;
}

/** Keys that are read while the file is, not when a request is sent, hold no templates. */
export const templatedKeys: readonly RequestKey[] = ['agent', 'message', 'params', 'each', 'expect'];
const contentKeys: readonly RequestKey[] = ['message', 'params', 'method'];

/** One of these says what is sent. */
export const isContentKey = (name: string): boolean => (contentKeys as readonly string[]).includes(name);

/** Reads an object of the text as a request. Undefined while it has nothing yet to send. */
export function readEntry(
  node: JsonNode,
  {
    text: source,
    index,
    alone,
    agent,
    wanted,
    timeoutMs,
    taken,
  }: {
    readonly text: string;
    readonly index: number;
    /** It is the whole file and not one of several. */
    readonly alone: boolean;
    /** The file's agent, for a request that names none. */
    readonly agent: Located<string> | undefined;
    /** The file's interface, likewise. */
    readonly wanted: JsonNode | undefined;
    /** The file's limit, likewise. */
    readonly timeoutMs: JsonNode | undefined;
    /** Names that earlier requests have. */
    readonly taken: ReadonlySet<string>;
  },
): RequestEntry | undefined {
  const written = membersOf(node);
  const members = new Map<RequestKey, Member>();
  const raw = isRawBody(node, alone) ? { node, alone } : undefined;
  for (const member of written)
    if (isRequestKey(member.name) && (raw === undefined || isTakenOut(member.name, raw))) members.set(member.name, member);
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
    timeoutMs: members.get('timeoutMs')?.value ?? timeoutMs,
    after: text('after'),
    method,
    operation: method === undefined || raw !== undefined ? undefined : operationOf(method.value),
    members,
    raw,
  });
}

interface ReadEntry extends Omit<RequestEntry, 'templates' | 'body'> {}

/** Most readers of a file ask few of its requests for their templates, so these are looked for when they are asked for. */
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
          .filter(({ name }) => !isTakenOut(name, raw))
          .map(({ value }) => value),
      );
    return (this.#templates = values.flatMap(value => (value === undefined ? [] : templatesIn(this.#source, value))));
  }
}

/** The value where it is a string that says something. */
export function locatedString(node: JsonNode | undefined): Located<string> | undefined {
  return node?.type === 'string' && node.value !== '' ? { value: String(node.value), range: rangeOf(node) } : undefined;
}
