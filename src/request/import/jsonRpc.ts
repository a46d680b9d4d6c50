import { exactJson } from '../../protocol/json/exactJson.ts';
import { createScanner, type SyntaxKind } from 'jsonc-parser';
import { ignoreFindings } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { operations, type Operation } from '../../protocol/message/operations.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { releases } from '../../protocol/versions/index.ts';
import { escapedBraces } from '../template/template.ts';
import { Verbatim } from '../text/indentJson.ts';
import { repairJson } from './repairJson.ts';
import { requestOf, type RequestJson } from './requestJson.ts';

export interface Imported {
  /** In core (1.0) shape. */
  readonly request: RequestJson;
  /** The text of a file that sends the body exactly as it was written; absent where there was no JSON-RPC body. */
  readonly raw?: string;
  /** Changes and omissions of the import. */
  readonly remarks: readonly LocalizedMessage[];
}

/**
 * Reads a JSON-RPC body of any protocol version as a request, also one that is not strict JSON.
 * @throws Problem `unreadable-json`, `no-json-rpc`, and those of reading the parameters.
 */
export function importJsonRpc(text: string, agent?: string): Imported {
  const { text: json, repairs } = repairJson(text);
  const body = exactJson(json);
  if (!isObject(body) || typeof body['method'] !== 'string') {
    throw new Problem('no-json-rpc', sentence('This is not a JSON-RPC request: it has no "method".'), {
      nextStep: sentence('Copy the body of the request, not of the response.'),
    });
  }
  const { operation, params } = readBody(body['method'], body['params']);
  const own = agent === undefined ? json : json.replace('{', () => `{\n  "agent": ${JSON.stringify(agent)},`);
  return {
    request: requestOf(operation, params, agent),
    raw: `${rawText(Verbatim.of(own) === undefined ? json : own)}\n`,
    remarks: repairs,
  };
}

// jsonc-parser declares these as a const enum, which a compiler that only strips types cannot inline.
const kind = { colon: 6, string: 10, endOfFile: 17 } as const satisfies Record<string, SyntaxKind>;

/**
 * Strict JSON as a body for a request file: values with `{{`, however it is written (`\u007b` is a brace, too), are escaped so that they are
 * no templates; all else stays as it is. Names of members hold none.
 */
export function rawText(json: string): string {
  const scanner = createScanner(json, true);
  const pieces: string[] = [];
  let end = 0;
  for (let token = scanner.scan(); token !== kind.endOfFile; ) {
    const offset = scanner.getTokenOffset();
    const length = scanner.getTokenLength();
    const value = scanner.getTokenValue();
    const next = scanner.scan();
    if (token === kind.string && next !== kind.colon && value.includes('{{')) {
      pieces.push(json.slice(end, offset), JSON.stringify(escapedBraces(value)));
      end = offset + length;
    }
    token = next;
  }
  return pieces.join('') + json.slice(end);
}

function readBody(method: string, params: unknown): { readonly operation: Operation; readonly params: Readonly<Record<string, unknown>> } {
  for (const version of releases) {
    const operation = operations.find(one => version.methods[one] === method);
    if (operation !== undefined) return { operation, params: version.readParams(operation, params ?? {}, ignoreFindings) };
  }
  throw new Problem('no-json-rpc', sentence('"{0}" is not an operation of A2A.', method));
}
