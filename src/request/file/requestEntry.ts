import type { HeadersSetting, SharedSettings, TextSetting } from './folderDefaults.ts';
import { matrixAgents, type MatrixTarget } from './matrix.ts';
import { isRequestKey, type RequestKey } from './keys.ts';
import { memberOf, membersOf, rangeIn, rangeOf, type JsonNode, type Member } from '../text/jsonNode.ts';
import { operationOf, type RequestOperation } from '../text/methods.ts';
import { isRawBody, isRemovedKey, rawBody, type RawBody } from './rawBody.ts';
import { templatesIn, type TemplateUse } from '../template/templateUse.ts';
import type { Located, TextRange } from '../text/textRange.ts';

/** One request of a file; it may be incomplete. */
export interface RequestEntry {
  /** Key for its results while the file is open: its name, or `#` and its position; of an imported file after its path and a line break. */
  readonly key: string;
  /** Position in the file, from 0. */
  readonly index: number;
  readonly name?: string;
  readonly range: TextRange;
  /** Range of the name, else of the first key, else of the opening brace. */
  readonly nameRange: TextRange;
  /** From the request (of several under `matrix` the first), else from the file. */
  readonly agent?: TextSetting;
  /** From the request, else from the file: text or an object. Checked when it is sent. */
  readonly interface?: JsonNode;
  /** Headers of folders, of the file, and then of the request. Checked when it is sent. */
  readonly headers: readonly HeadersSetting[];
  /** From the request, else from the file: the name of a sign-in, or `none`. */
  readonly auth?: TextSetting;
  /** From the request, else from the file, in milliseconds. Checked when it is sent. */
  readonly timeoutMs?: JsonNode;
  readonly after?: Located<string>;
  readonly method?: Located<string>;
  /** The operation of `method`; undefined where it is absent or unknown. */
  readonly operation?: RequestOperation;
  /** Its members with keys of the format. */
  readonly members: ReadonlyMap<RequestKey, Member>;
  /** Every `{{…}}` in its own agent, headers, message, params, data and expectations, or in the whole of a raw body. */
  readonly templates: readonly TemplateUse[];
  /** Every `{{…}}` in what is set for it outside of it; those of a defaults file at the request's name. */
  readonly inherited: readonly InheritedUse[];
  /** For a raw body: its node. */
  readonly raw?: RawBody;
  /** For a raw body: the text to send, as strict JSON with unfilled templates. */
  readonly body?: string;
  /** The same request, sent to another agent or over another interface. */
  sentTo(target: Pick<MatrixTarget, 'agent' | 'interface'>): RequestEntry;
}

/** A `{{…}}` in what is set for several requests. */
interface InheritedUse extends TemplateUse {
  /** Path of the defaults file that it is in. */
  readonly from?: string;
}

/** The other keys are used when the file is read, not when a request is sent, and cannot contain templates. */
export const templatedKeys: readonly RequestKey[] = [
  'agent',
  'headers',
  'message',
  'params',
  'configuration',
  'metadata',
  'tenant',
  'extensions',
  'each',
  'matrix',
  'until',
  'expect',
];
/** Keys that are parameters of the operation, written beside `message` or `params`. */
export const paramKeys = ['configuration', 'metadata', 'tenant'] as const satisfies readonly RequestKey[];
const contentKeys: readonly RequestKey[] = ['message', 'params', 'method'];

/** True for keys with what is sent; a request has one of them. */
export const isContentKey = (name: string): boolean => (contentKeys as readonly string[]).includes(name);

/** Reads an object of the text as a request. Undefined while it has nothing to send. */
export function readEntry(
  node: JsonNode,
  {
    text: source,
    index,
    section,
    settings,
    taken,
    importedAs,
  }: {
    readonly text: string;
    readonly index: number;
    /** The part of the text that it is alone in, where it is not one of several. */
    readonly section: TextRange | undefined;
    /** Settings of the file and its folders. */
    readonly settings: SharedSettings;
    /** Names of earlier requests. */
    readonly taken: ReadonlySet<string>;
    /** See `ReadOptions`. */
    readonly importedAs?: string | undefined;
  },
): RequestEntry | undefined {
  const alone = section !== undefined;
  const written = membersOf(node);
  const members = new Map<RequestKey, Member>();
  const raw = isRawBody(node, alone) ? { node, alone, section } : undefined;
  for (const member of written)
    if (isRequestKey(member.name) && (raw === undefined || isRemovedKey(member.name, raw))) members.set(member.name, member);
  if (raw === undefined && !contentKeys.some(key => members.get(key)?.value !== undefined)) return undefined;
  const text = (key: RequestKey): Located<string> | undefined => locatedString(members.get(key)?.value);
  const name = text('name');
  const method = raw === undefined ? text('method') : locatedString(memberOf(node, 'method')?.value);
  const first = written[0]?.nameRange ?? { offset: node.offset, length: 1 };
  const nameRange = name?.range ?? first;
  // A problem with what a defaults file sets is shown at the request's name.
  const here = <T extends TextSetting>(setting: T | undefined): T | undefined =>
    setting?.from === undefined ? setting : { ...setting, range: nameRange };
  const headers = members.get('headers')?.value;
  const [firstAgent] = matrixAgents({ members });
  return new ReadEntry(source, settings, {
    key: (importedAs === undefined ? '' : `${importedAs}\n`) + (name === undefined || taken.has(name.value) ? `#${index + 1}` : name.value),
    index,
    name: name?.value,
    range: rangeIn(source, node),
    nameRange,
    agent: firstAgent ?? text('agent') ?? here(settings.agent),
    interface: members.get('interface')?.value ?? settings.interface,
    // Its own templates are among those of the request.
    headers: headers === undefined ? settings.headers : [...settings.headers, { node: headers, templates: [] }],
    auth: text('auth') ?? here(settings.auth),
    timeoutMs: members.get('timeoutMs')?.value ?? settings.timeoutMs,
    after: text('after'),
    method,
    operation: method === undefined || raw !== undefined ? undefined : operationOf(method.value),
    members,
    raw,
  });
}

/** The members of an entry that are read at once. */
type EntryContent = Omit<RequestEntry, 'templates' | 'inherited' | 'body' | 'sentTo'>;

interface ReadEntry extends EntryContent {}

/** Finds templates on first access: most callers need those of few requests. */
class ReadEntry implements RequestEntry {
  readonly #source: string;
  readonly #settings: SharedSettings;
  #templates: readonly TemplateUse[] | undefined;

  readonly #content: EntryContent;

  constructor(source: string, settings: SharedSettings, entry: EntryContent) {
    this.#source = source;
    this.#settings = settings;
    this.#content = entry;
    Object.assign(this, entry);
  }

  sentTo({ agent = this.agent, interface: wanted = this.interface }: Pick<MatrixTarget, 'agent' | 'interface'>): RequestEntry {
    return new ReadEntry(this.#source, this.#settings, { ...this.#content, agent, interface: wanted });
  }

  get body(): string | undefined {
    return this.raw && rawBody(this.#source, this.raw);
  }

  get inherited(): readonly InheritedUse[] {
    const { agent, agentTemplates, headers } = this.#settings;
    const ofAgent = this.members.has('agent') || matrixAgents(this).length > 0 ? [] : [{ templates: agentTemplates, from: agent?.from }];
    return [...ofAgent, ...headers].flatMap(({ templates, from }) =>
      from === undefined ? templates : templates.map(use => ({ ...use, range: this.nameRange, from })),
    );
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
