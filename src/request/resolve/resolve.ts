import { parseTree, type ParseError } from 'jsonc-parser';
import type * as z from 'zod';
import { fnv1a } from '../../protocol/fnv1a.ts';
import { isObject } from '../../protocol/json.ts';
import { isSend } from '../../protocol/message/operations.ts';
import type { Part } from '../../protocol/message/part.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import { readTaskState, type TaskState } from '../../protocol/message/taskState.ts';
import { Expect } from '../expect/kinds.ts';
import { comparesAsText } from '../expect/matcher.ts';
import { parseInterfaceSelector, type InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { fill, fillNode, type Scope } from './fill.ts';
import { requestKeys, type RequestKey } from '../file/keys.ts';
import { showPath, type Path } from '../text/path.ts';
import { joined, Pieced, textOf as asText, withoutHoles, type Text } from '../text/pieced.ts';
import { mistakeLines, valueMistakes } from '../text/valueMistake.ts';
import { memberOf, membersOf, nodeAt, rangeOf, valueOf, type JsonNode } from '../text/jsonNode.ts';
import { trackUsedValues } from './usedValues.ts';
import { filledBody } from './filledBody.ts';
import { paramKeys, type RequestEntry } from '../file/requestEntry.ts';
import { extendedCard, requestParams, type RequestOperation, type RequestParams } from '../text/methods.ts';
import { located, RequestFault } from '../text/requestFault.ts';
import { newerPushParams } from '../file/olderPushParams.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { endOf } from '../text/textRange.ts';

/** A request that is ready to be sent, or to be copied: then its texts may have holes. */
export type ResolvedRequest<Body extends Text = string> =
  /** Parameters in core (1.0) shape. */
  | { readonly [O in RequestOperation]: { readonly operation: O; readonly params: RequestParams[O] } }[RequestOperation]
  /** A body, to be sent byte for byte. */
  | { readonly raw: Body };

/** The agent of a request with its templates filled in: a name or a URL. Undefined where neither the request nor the file has one. */
export async function resolveAgent(entry: RequestEntry, scope: Scope): Promise<string | undefined> {
  const written = entry.agent;
  return (
    written &&
    located(written.range, async () => {
      const { from } = written;
      const agent = await (from === undefined ? fill(written.value, scope) : inDefaults(from, entry, () => fill(written.value, scope)));
      if (typeof agent === 'string' && agent !== '') return agent;
      if (agent instanceof Pieced)
        throw new Problem('not-in-script', sentence('The agent {0} is known only when the script runs.', written.value));
      throw new Problem('bad-request', sentence('"agent" must be a string, not {0}.', JSON.stringify(agent)), {
        nextStep: hint(
          sentence('Use a name from the setting a2a.agents, or a URL.'),
          'Give a name of --agent NAME=URL or of a2a.agents in .vscode/settings.json, or a URL.',
        ),
      });
    })
  );
}

/**
 * The interface selected for a request; undefined where neither it nor the file selects one. It cannot contain templates.
 * @throws Problem `bad-request`
 */
export function resolveInterface({ interface: node }: RequestEntry): InterfaceSelector | undefined {
  if (node === undefined) return undefined;
  const value = checked('interface', node);
  return typeof value === 'string' ? parseInterfaceSelector(value) : (value as InterfaceSelector);
}

/**
 * The timeout of a request in milliseconds; undefined where neither it nor the file has one.
 * @throws Problem `bad-request`
 */
export function resolveTimeout({ timeoutMs: node }: RequestEntry): number | undefined {
  return node === undefined ? undefined : (checked('timeoutMs', node) as number);
}

/** Says of a problem that it is in a defaults file, since the request itself may be without fault. */
const inDefaults = <T>(path: string, { nameRange }: RequestEntry, work: () => Promise<T>): Promise<T> =>
  located(nameRange, async () => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { code, nextStep, details } = error;
      throw new Problem(code, sentence('{0}: {1}', path, error.sentence), { nextStep, details, cause: error });
    }
  });

/**
 * The states that a request waits for instead of the end of its task: none where it ends with the response. Undefined where it waits for the
 * end.
 * @throws Problem `bad-request`
 */
export function resolveWaitFor({ members }: RequestEntry): readonly TaskState[] | undefined {
  const node = members.get('waitFor')?.value;
  return node === undefined ? undefined : [checked('waitFor', node) as string | string[]].flat().flatMap(one => readTaskState(one) ?? []);
}

/** Headers that HTTP itself needs, so that a file cannot change what a request is. */
const ownHeaders = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i;

/** Headers of a request, and the names of those that contain a secret. */
export interface ResolvedHeaders<Value extends Text = string> {
  readonly values: Readonly<Record<string, Value>>;
  readonly secret: readonly string[];
}

/**
 * The headers of a request with their templates filled in; undefined where neither it nor the file has any.
 * @throws Problem as `resolveRequest` does
 */
export async function resolveHeaders(entry: RequestEntry, scope: Scope): Promise<ResolvedHeaders | undefined> {
  const resolved = await copiedHeaders(entry, scope);
  return (
    resolved && { ...resolved, values: Object.fromEntries(Object.entries(resolved.values).map(([name, value]) => [name, String(value)])) }
  );
}

/** The same for a copy of the request, with a scope `withPlaceholders`. */
export async function copiedHeaders(entry: RequestEntry, scope: Scope): Promise<ResolvedHeaders<Text> | undefined> {
  if (entry.headers.length === 0) return undefined;
  const values = new Map<string, readonly [name: string, value: Text]>();
  const secret = new Set<string>();
  for (const { node, from, isPrivate } of entry.headers) {
    if (from === undefined) checked('headers', node);
    for (const { name, value } of membersOf(node)) {
      if (value === undefined) continue;
      if (ownHeaders.test(name))
        throw new Problem('bad-request', sentence('The request was not sent: the header {0} is set by HTTP itself.', name), {
          nextStep: sentence('Remove it from the headers.'),
        });
      const { value: filled, drawn } = await trackUsedValues(scope, inner =>
        from === undefined ? fillNode(value, inner) : inDefaults(from, entry, () => fill(valueOf(value), inner)),
      );
      const key = name.toLowerCase();
      const text = asText(filled);
      if (isPrivate === true)
        scope.onUse?.({ kind: 'secret', key: `private header ${key} ${fnv1a(String(text))}`, name, value: text, isPrivate });
      values.set(key, [name, text]);
      if ([...drawn.secrets.values()].some(({ isShown }) => isShown !== true) || isPrivate === true) secret.add(key);
      else secret.delete(key);
    }
  }
  return { values: Object.fromEntries(values.values()), secret: [...secret] };
}

/**
 * Resolves a request and fills in its templates.
 * @param streams whether the agent supports streaming: a request without `method` then uses it.
 * @throws Problem `unreadable-request` where the text is incomplete, `bad-request` where a key or a parameter is invalid, `no-value` where
 * a template has no value
 */
export async function resolveRequest(entry: RequestEntry, scope: Scope, streams: boolean): Promise<ResolvedRequest> {
  const resolved = await copiedRequest(entry, scope, streams);
  return 'raw' in resolved ? { raw: String(resolved.raw) } : resolved;
}

/** The same for a copy of the request, with a scope `withPlaceholders`. */
export async function copiedRequest(entry: RequestEntry, scope: Scope, streams: boolean): Promise<ResolvedRequest<Text>> {
  refuseBroken(entry, scope.file);
  refuseProblems(entry, scope.file);
  for (const [key, { value }] of entry.members) if (value !== undefined && !checkedFilled.includes(key)) checked(key, value);
  if (entry.raw !== undefined) return { raw: await filledBody(entry.raw, scope) };
  const given = entry.members.get('params')?.value;
  const filled = given === undefined ? {} : await fillNode(given, scope);
  const params = { ...(await besideParams(entry, scope)), ...(isObject(filled) ? filled : {}) };
  const operation = entry.operation ?? (streams && !returnsAtOnce(params) ? 'SendStreamingMessage' : 'SendMessage');
  if (operation === extendedCard || !isSend(operation)) return accept(operation, newerPushParams(entry.method?.value ?? '', params), entry);
  const content = entry.members.get('message')?.value;
  const written = content === undefined ? params['message'] : { parts: partsOf(await fillNode(content, scope)) };
  const extensions = await resolveExtensions(entry, scope);
  const message = extensions === undefined || !isObject(written) ? written : { extensions, ...written };
  return accept(operation, isObject(message) ? { ...params, message: withTexts(completed(message, scope)) } : params, entry);
}

/**
 * The expectations of a request with their templates filled in; undefined where it has none.
 * @throws Problem as `resolveRequest` does
 */
export const resolveExpect = (entry: RequestEntry, scope: Scope): Promise<unknown> =>
  expectedAt(entry.members.get('expect')?.value, entry, scope);

/** The same for the expectations of `until`. */
export const resolveUntil = (entry: RequestEntry, scope: Scope): Promise<unknown> =>
  expectedAt(memberOf(entry.members.get('until')?.value, 'expect')?.value, entry, scope, 'until.expect');

async function expectedAt(node: JsonNode | undefined, entry: RequestEntry, scope: Scope, key = 'expect'): Promise<unknown> {
  if (node === undefined) return undefined;
  refuseBroken(entry, scope.file);
  refuseProblems(entry, scope.file);
  const filled = await fillNode(node, scope);
  const wanted = isObject(filled) && 'text' in filled ? { ...filled, text: wantedText(filled['text']) } : filled;
  const result = Expect.safeParse(wanted);
  if (!result.success) throw badRequest(key, result.error, wanted, node);
  return wanted;
}

/** Keys whose values are checked once their templates are filled in. */
const checkedFilled: readonly RequestKey[] = ['expect', 'each', 'until', ...paramKeys, 'extensions'];

/** Parameters that have keys of their own. */
async function besideParams({ members }: RequestEntry, scope: Scope): Promise<Readonly<Record<string, unknown>>> {
  const params: Record<string, unknown> = {};
  for (const key of paramKeys) {
    const node = members.get(key)?.value;
    if (node !== undefined) params[key] = await fillNode(node, scope);
  }
  return params;
}

/**
 * URIs of the extensions that a request asks for; undefined where it names none.
 * @throws Problem `bad-request`, `no-value`
 */
export async function resolveExtensions({ members, raw }: RequestEntry, scope: Scope): Promise<readonly string[] | undefined> {
  const node = raw === undefined ? members.get('extensions')?.value : undefined;
  if (node === undefined) return undefined;
  const filled = await fillNode(node, scope);
  const result = requestKeys.extensions.safeParse(withoutHoles(filled));
  if (!result.success) throw badRequest('extensions', result.error, withoutHoles(filled), node);
  return filled as readonly string[];
}

/** `returnImmediately` has no meaning for a stream (A2A 1.0 §3.2.2). */
const returnsAtOnce = ({ configuration }: Readonly<Record<string, unknown>>): boolean =>
  isObject(configuration) && configuration['returnImmediately'] === true;

/** A message with defaults for what the file may omit. */
function completed(message: Readonly<Record<string, unknown>>, scope: Scope): Readonly<Record<string, unknown>> {
  const { messageId = scope.functions.uuid(), role = 'ROLE_USER', ...rest } = message;
  return { messageId, role, ...rest };
}

/** A text becomes one part; in an array, a string becomes a text part. */
function partsOf(content: unknown): unknown {
  const part = (item: unknown): unknown =>
    isObject(item) && !(item instanceof Pieced) ? item : ({ text: asText(item) as string } satisfies Part);
  return Array.isArray(content) ? content.map(part) : [part(content)];
}

/** Converts the values of templates to text where a message requires text. */
function withTexts(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { parts } = message;
  if (!Array.isArray(parts)) return message;
  return {
    ...message,
    parts: parts.map((part: unknown) => {
      if (!isObject(part)) return part;
      if ('text' in part) return { ...part, text: asText(part['text']) };
      const { lines, ...rest } = part;
      return Array.isArray(lines) ? { text: joined(lines.map(asText), '\n'), ...rest } : part;
    }),
  };
}

/** The same for expected texts. */
function wantedText(wanted: unknown): unknown {
  if (Array.isArray(wanted)) return wanted.map(asText);
  if (!isObject(wanted)) return asText(wanted);
  return Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, comparesAsText(name) ? wantedText(value) : value]));
}

function checked(key: RequestKey, node: JsonNode): unknown {
  const value = valueOf(node);
  const result = requestKeys[key].safeParse(value);
  if (result.success) return value;
  throw badRequest(key, result.error, value, node);
}

/** The parameters are checked but returned unchanged, so that unknown members are kept. */
function accept(operation: RequestOperation, params: unknown, { members }: RequestEntry): ResolvedRequest<never> {
  const checkable = withoutHoles(params);
  const result = requestParams[operation].safeParse(checkable);
  const message = members.get('message')?.value;
  // "message" of the file corresponds to message.parts of the parameters.
  if (!result.success)
    throw message === undefined
      ? badRequest('params', result.error, checkable, members.get('params')?.value)
      : badRequest('message', result.error, checkable, message, 2);
  return { operation, params } as ResolvedRequest<never>;
}

/**
 * @param value what was checked, templates filled in
 * @param beyond number of steps at the start of the error's path that are not in the node
 */
function badRequest(key: string, error: z.ZodError, value: unknown, node: JsonNode | undefined, beyond = 0): Problem {
  const mistakes = valueMistakes(error, value);
  const placeOf = (path: Path): string => `${key}${showPath(path.slice(beyond))}`;
  const { path, what } = mistakes[0]!;
  const at = nodeAt(node, path.slice(beyond));
  const problem = new Problem('bad-request', sentence('The request was not sent, because {0} is invalid: {1}.', placeOf(path), what), {
    nextStep: sentence('Correct it, or write the JSON-RPC body itself to send it as written.'),
    details: mistakeLines(mistakes, placeOf),
  });
  return at === undefined ? problem : new RequestFault(problem, rangeOf(at));
}

/** Only the request itself must be complete JSON; other requests may be incomplete. */
function refuseBroken({ range }: RequestEntry, { text }: RequestFile): void {
  const errors: ParseError[] = [];
  parseTree(text.slice(range.offset, endOf(range)), errors, { allowTrailingComma: true });
  if (errors.length > 0) {
    throw new Problem('unreadable-request', sentence('The request is not complete JSON, so it was not sent.'), {
      nextStep: sentence('Finish it and send it again.'),
    });
  }
}

/** Refuses a request with a known error before anything is sent. */
function refuseProblems({ range }: RequestEntry, { problems }: RequestFile): void {
  const found = problems.find(({ severity, range: { offset } }) => severity === 'error' && offset >= range.offset && offset < endOf(range));
  if (found !== undefined)
    throw new RequestFault(
      new Problem(found.code, found.sentence, { nextStep: sentence('Correct it and send the request again.') }),
      found.range,
    );
}
