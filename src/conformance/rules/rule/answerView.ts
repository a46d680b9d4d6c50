import { exactJson } from '../../../protocol/json/exactJson.ts';
import { codeOfReason } from '../../../protocol/errors.ts';
import type { Exchange, Headers } from '../../../protocol/exchange.ts';
import { isObject } from '../../../protocol/json.ts';
import { isResult } from '../../../protocol/versions/shared/readWrapped.ts';
import type { AnswerView, ErrorView, Fields, RequestView } from './passiveCheck.ts';
import type { RuleVersion } from './rule.ts';

const ruleVersions: ReadonlySet<string> = new Set(['1.0', '0.3', '0.2', '0.1'] satisfies RuleVersion[]);

export const isRuleVersion = (version: string): version is RuleVersion => ruleVersions.has(version);

/** Longest text that is looked at, in UTF-16 code units: what is longer is not held, or parsed, a second time. */
export const maxChecked = 256 * 1024;

/** The text without a byte order mark. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** The JSON of a text; undefined for one that is none or is longer than what is checked. */
export function checkedJson(text: string | undefined): unknown {
  if (text === undefined || text === '' || text.length > maxChecked) return undefined;
  try {
    return exactJson(withoutMark(text));
  } catch {
    return undefined;
  }
}

/** Values of each header, joined by commas, by lower-case name. */
export function headerMap(headers: Headers): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = map.get(key);
    map.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return map;
}

/** The request of an exchange; undefined in a version that no rule covers. */
export function requestView({ operation, protocolBinding, protocolVersion, request }: Exchange): RequestView | undefined {
  if (!isRuleVersion(protocolVersion)) return undefined;
  return { version: protocolVersion, binding: protocolBinding, operation, request, params: paramsOf(request, protocolBinding) };
}

function paramsOf({ url, body }: Exchange['request'], binding: string): Fields {
  const json = checkedJson(body);
  if (binding === 'JSONRPC') {
    const params = isObject(json) ? json['params'] : undefined;
    return isObject(params) ? params : {};
  }
  if (isObject(json)) return json;
  return body === '' && URL.canParse(url) ? Object.fromEntries(new URL(url).searchParams) : {};
}

/**
 * The answer of an exchange that is not a stream; undefined where there is none.
 * @param json of the body, where the caller has it
 */
export function answerView(exchange: Exchange, asked: RequestView, json = checkedJson(exchange.response?.body)): AnswerView | undefined {
  const { response } = exchange;
  if (response === undefined) return undefined;
  const { status } = response;
  const headers = headerMap([...response.headers, ...(response.trailers ?? [])]);
  const common = { ...asked, kind: 'answer', status, headers, json } as const;
  if (asked.binding === 'JSONRPC') {
    const envelope = isObject(json) ? json : {};
    const { error } = envelope;
    return {
      ...common,
      result: envelope['result'],
      pointer: '/result',
      error: isObject(error) ? { code: codeIn(error), value: error, pointer: '/error' } : undefined,
    };
  }
  // The status does not decide: an error may come with one of success, and a result with another (HTTP-05 and HTTP-07).
  const failed =
    asked.binding === 'GRPC' ? (headers.get('grpc-status') ?? '0') !== '0' : (status >= 400 && !isResult(json)) || hasError(json);
  return { ...common, result: failed ? undefined : json, pointer: '', error: failed ? bareError(json) : undefined };
}

const hasError = (json: unknown): boolean => isObject(json) && isObject(json['error']);

function bareError(json: unknown): ErrorView {
  if (!isObject(json)) return { code: undefined, value: {}, pointer: '' };
  const { error } = json;
  return isObject(error) ? { code: codeIn(error), value: error, pointer: '/error' } : { code: codeIn(json), value: json, pointer: '' };
}

/** The code that a reason among the details names, or the error's own where that is one of JSON-RPC. */
function codeIn(error: Fields): number | undefined {
  const lists = [error['details'], error['data']].filter(Array.isArray) as unknown[][];
  for (const detail of lists.flatMap(list => list.slice(0, 20))) {
    const code = isObject(detail) ? codeOfReason(detail['reason']) : undefined;
    if (code !== undefined) return code;
  }
  const { code } = error;
  return typeof code === 'number' && Number.isInteger(code) && code < 0 ? code : undefined;
}

/** The result in the data of an event, where it is, and the error that it is instead. */
export function openedEvent(json: unknown, binding: string): Pick<AnswerView, 'result' | 'pointer' | 'error'> {
  // What an agent over HTTP+JSON puts into an envelope is judged all the same: the envelope is another rule's.
  const isEnvelope = isObject(json) && json['jsonrpc'] !== undefined && 'result' in json;
  if (binding !== 'JSONRPC' && !isEnvelope) {
    const failed = hasError(json);
    return { result: failed ? undefined : json, pointer: '', error: failed ? bareError(json) : undefined };
  }
  const envelope = isObject(json) ? json : {};
  const { error } = envelope;
  return {
    result: envelope['result'],
    pointer: '/result',
    error: isObject(error) ? { code: codeIn(error), value: error, pointer: '/error' } : undefined,
  };
}
