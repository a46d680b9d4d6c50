import { parseTree, type ParseError } from 'jsonc-parser';
import { isObject } from '../../protocol/json.ts';
import { Problem } from '../../protocol/problem.ts';
import { writeJson } from '../text/indentJson.ts';
import { maxDepth, nestingOf } from '../text/jsonNode.ts';
import { importCurl } from './curl.ts';
import { importJsonRpc, rawText, type Imported } from './jsonRpc.ts';
import { repairJson } from './repairJson.ts';
import { requestFileText } from './requestJson.ts';

/** Longest text that is looked at for a request, in UTF-16 code units. */
const longest = 1_000_000;

const isCurl = (text: string): boolean => /^\s*(\$\s+)?curl\s/.test(text);
const isJson = (text: string): boolean => /^[\s\ufeff]*(\/\/|\/\*|```|\{)/.test(text) && /method|taskId/.test(text);

/** True where a text looks like a request of somewhere else. */
export const isImportable = (text: string): boolean =>
  text.length <= longest && nestingOf(text) <= maxDepth && (isCurl(text) || isJson(text));

/** A cURL command or a body, as a request. @throws Problem as `importCurl` and `importJsonRpc` do */
export const imported = (text: string): Imported => (isCurl(text) ? importCurl(text) : importJsonRpc(text));

/** What may be put into a request file in the place of a text that is pasted. */
export interface PasteOffer {
  /** A request of the format, or the body as it was printed, its faults put right. */
  readonly as: 'request' | 'body';
  readonly text: string;
}

export interface Pasted {
  /** The likeliest first; none for a text that is no request. */
  readonly offers: readonly PasteOffer[];
  /** The text as it is does in a request file. */
  readonly fits: boolean;
}

/** `whole`: the file has nothing else in it. */
export function pasted(text: string, { whole }: { readonly whole: boolean }): Pasted {
  if (!isImportable(text)) return { offers: [], fits: true };
  const fits = !isCurl(text) && isReadable(text);
  const request = attempt(() => imported(text));
  const asRequest: readonly PasteOffer[] =
    request === undefined ? [] : [{ as: 'request', text: whole ? requestFileText([request.request]) : writeJson(request.request) }];
  // What fits stands there as the text that it is.
  const asBody = fits || isCurl(text) ? [] : bodyOf(text);
  return { offers: [...asBody, ...asRequest], fits };
}

/** A body whose faults are put right, whatever its method is. */
function bodyOf(text: string): readonly PasteOffer[] {
  const repaired = attempt(() => repairJson(text));
  const body: unknown = repaired === undefined ? undefined : JSON.parse(repaired.text);
  if (repaired === undefined || !isObject(body)) return [];
  if (typeof body['method'] !== 'string' && !('taskId' in body && 'data' in body)) return [];
  return [{ as: 'body', text: rawText(repaired.text) }];
}

/** JSON as a request file may have it, without braces that would be taken for a template. */
function isReadable(text: string): boolean {
  const errors: ParseError[] = [];
  const root = text.includes('{{') || nestingOf(text) > maxDepth ? undefined : parseTree(text, errors, { allowTrailingComma: true });
  return root !== undefined && errors.length === 0;
}

/** What looks like a request and is none is pasted as the text it is. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
