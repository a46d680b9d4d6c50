import { parseTree, type ParseError } from 'jsonc-parser';
import { isObject } from '../../protocol/json.ts';
import { parseExactly } from '../../protocol/json/exactJson.ts';
import { unlessProblem } from '../../protocol/problem.ts';
import { withoutMark } from '../text/byteOrderMark.ts';
import { maxDepth, nestingOf, stringsIn } from '../text/jsonNode.ts';
import { importCurl, isCurl } from './curl.ts';
import { harEntries, importHar } from './har.ts';
import { importJsonRpc, rawText, type Imported } from './jsonRpc.ts';
import { repairJson } from './repairJson.ts';
import { requestFileText, requestText, type RequestJson } from './requestJson.ts';

/** Longest text that is examined, in UTF-16 code units. */
const maxLength = 1_000_000;

const isJson = (text: string): boolean => /^[\s\ufeff]*(\/\/|\/\*|```|\{)/.test(text) && /method|taskId/.test(text);

/** True where a text may be a cURL command or a JSON body. */
export const isImportable = (text: string): boolean =>
  text.length <= maxLength && nestingOf(text) <= maxDepth && (isCurl(text) || isJson(text));

/** Imported requests: those of an HTTP Archive, or a single one with more about it. */
interface ImportedRequests extends Pick<Imported, 'raw' | 'remarks'> {
  readonly requests: readonly RequestJson[];
}

/**
 * Reads a cURL command, a body or an HTTP Archive as requests.
 * @throws Problem as `importCurl`, `importJsonRpc` and `importHar` do
 */
export function imported(text: string): ImportedRequests {
  const entries = isCurl(text) ? undefined : harEntries(archiveIn(text));
  if (entries !== undefined) return importHar(entries);
  const { request, ...more } = isCurl(text) ? importCurl(text) : importJsonRpc(text);
  return { ...more, requests: [request] };
}

/** The value of a text that may be an HTTP Archive, which programs write as strict JSON; undefined for any other. */
function archiveIn(text: string): unknown {
  if (!/^\s*\{\s*"log"/.test(withoutMark(text)) || nestingOf(text) > maxDepth) return undefined;
  try {
    return parseExactly(withoutMark(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A text that can be inserted in place of the pasted one. */
interface PasteOffer {
  /** A request of the format, or the repaired body. */
  readonly as: 'request' | 'body';
  readonly text: string;
}

interface Pasted {
  /** Most likely first; empty where the text is not a request. */
  readonly offers: readonly PasteOffer[];
  /** True where the text can stay in a request file as it is. */
  readonly fits: boolean;
  /** Sentences about what the request leaves out of the text, and about repairs. */
  readonly remarks: Imported['remarks'];
}

/** @param whole true where the file has no other content. */
export function pasted(text: string, { whole }: { readonly whole: boolean }): Pasted {
  if (!isImportable(text)) return { offers: [], fits: true, remarks: [] };
  const fits = !isCurl(text) && isReadable(text);
  // Text that looks like a request but cannot be read is pasted unchanged.
  const request = unlessProblem(() => imported(text));
  const asRequest: readonly PasteOffer[] =
    request === undefined
      ? []
      : [{ as: 'request', text: whole ? requestFileText(request.requests) : request.requests.map(requestText).join(',\n') }];
  // A text that fits needs no repaired copy.
  const asBody = fits || isCurl(text) ? [] : bodyOf(text);
  return { offers: [...asBody, ...asRequest], fits, remarks: request?.remarks ?? [] };
}

/** The repaired body, whatever its method is. */
function bodyOf(text: string): readonly PasteOffer[] {
  const repaired = unlessProblem(() => repairJson(text));
  const body: unknown = repaired === undefined ? undefined : JSON.parse(repaired.text);
  if (repaired === undefined || !isObject(body)) return [];
  if (typeof body['method'] !== 'string' && !('taskId' in body && 'data' in body)) return [];
  return [{ as: 'body', text: rawText(repaired.text) }];
}

/** True for JSON that a request file may contain, without braces that would be read as templates. */
function isReadable(text: string): boolean {
  const errors: ParseError[] = [];
  const root = nestingOf(text) > maxDepth ? undefined : parseTree(text, errors, { allowTrailingComma: true });
  return root !== undefined && errors.length === 0 && stringsIn(root).every(({ value }) => !String(value).includes('{{'));
}
