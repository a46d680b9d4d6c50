import { exactJson } from '../../protocol/json/exactJson.ts';
import { ignoreFindings } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { operations, type Operation } from '../../protocol/message/operations.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { versionOf, versions } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { escapedBraces } from '../template/template.ts';
import { Verbatim } from '../text/indentJson.ts';
import { isSpace, jsonTokens, tokenKind } from '../text/jsonTokens.ts';
import { repairJson } from './repairJson.ts';
import { requestOf, type RequestJson, type Target } from './requestJson.ts';

export interface Imported {
  /** In core (1.0) shape. */
  readonly request: RequestJson;
  /** The text of a file that sends the body exactly as it was written; absent where there was no JSON-RPC body. */
  readonly raw?: string;
  /** Changes and omissions of the import. */
  readonly remarks: readonly LocalizedMessage[];
}

/** The parts of an HTTP request beside its body. */
interface Head {
  /** Value of the header `A2A-Version`. */
  readonly version?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The value of the key `interface`. Nothing is filled into it, so that its braces cannot be escaped as those of other texts. */
export const interfaceText = (protocolBinding: string, { protocolVersion }: Version, url?: string): string =>
  [protocolBinding, protocolVersion, ...(url === undefined ? [] : [url.replaceAll('{', '%7B')])].join(' ');

/**
 * Reads a JSON-RPC body of any protocol version as a request, also one that is not strict JSON. The request is sent over the interface that
 * the body was for.
 * @param agent address to which it was sent
 * @throws Problem `unreadable-json`, `no-json-rpc`, and those of reading the parameters.
 */
export function importJsonRpc(text: string, agent?: string, head: Head = {}): Imported {
  const { text: json, repairs } = repairJson(text);
  const body = exactJson(json);
  if (!isObject(body) || typeof body['method'] !== 'string') {
    throw new Problem('no-json-rpc', sentence('This is not a JSON-RPC request: it has no "method".'), {
      nextStep: sentence('Copy the body of the request, not of the response.'),
    });
  }
  const { operation, version } = called(body['method'], head.version);
  const params = version.readParams(operation, body['params'] ?? {}, ignoreFindings);
  const target: Target = {
    ...(agent !== undefined && { agent }),
    interface: interfaceText('JSONRPC', version, agent !== undefined && URL.canParse(agent) ? new URL(agent).href : undefined),
    ...(head.headers !== undefined && { headers: head.headers }),
  };
  const keys = Object.entries(target).map(([name, value]) => `\n  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  const own = json.replace('{', () => `{${keys.join('')}`);
  return {
    request: requestOf(operation, params, target),
    raw: `${rawText(Verbatim.of(own) === undefined ? json : own)}\n`,
    remarks: repairs,
  };
}

/**
 * Strict JSON as a body for a request file: values with `{{`, however it is written (`\u007b` is a brace, too), are escaped so that they are
 * no templates; all else stays as it is. Names of members hold none.
 */
export function rawText(json: string): string {
  const tokens = [...jsonTokens(json)].filter(token => !isSpace(token));
  const pieces: string[] = [];
  let written = 0;
  for (const [index, { kind, start, end }] of tokens.entries()) {
    if (kind !== tokenKind.string || tokens[index + 1]?.kind === tokenKind.colon) continue;
    const value = JSON.parse(json.slice(start, end)) as string;
    if (!value.includes('{{')) continue;
    pieces.push(json.slice(written, start), JSON.stringify(escapedBraces(value)));
    written = end;
  }
  return pieces.join('') + json.slice(written);
}

/** The operation of a method, in the version that was asked for or else the newest that has it. */
function called(method: string, asked = ''): { readonly operation: Operation; readonly version: Version } {
  for (const version of [versionOf(asked), ...versions]) {
    const operation = operations.find(one => version?.methods[one] === method);
    if (version !== undefined && operation !== undefined) return { operation, version };
  }
  throw new Problem('no-json-rpc', sentence('"{0}" is not an operation of A2A.', method));
}
