import { isObjectOrArray } from '../../protocol/json/depth.ts';
import type { Part } from '../../protocol/message/part.ts';
import type { Entry } from '../../protocol/message/transcript.ts';
import { withBytes } from '../../protocol/versions/shared/fileContent.ts';

/** How much of one entry is searched, in UTF-16 code units; text after that is not found. */
export const searchedLength = 1 << 20;
/** How deep data is searched. */
const deepest = 64;

/** Text as it is shown in results: composed (NFC), without characters that SQLite cannot store. */
export const clean = (text: string): string => text.normalize('NFC').toWellFormed().replaceAll('\0', ' ');

/** Clean text as it is compared: case is ignored, and each code unit keeps its place. */
export const fold = (cleaned: string): string => cleaned.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');

/**
 * The terms of a query, folded, all of which must occur: words, parts of words, and text between quotation marks as it stands. No other syntax
 * has a meaning.
 */
export function termsOf(query: string): string[] {
  return [...new Set([...fold(clean(query)).matchAll(/"([^"]*[^"\s][^"]*)"|[^\s"]+|"/g)].map(([whole, quoted]) => quoted ?? whole))];
}

/** The clean text of an entry that is searched; empty if there is none. */
export function searchTextOf(entry: Entry): string {
  const texts: string[] = [];
  if (entry.kind === 'message') putParts(texts, entry.message.parts);
  if (entry.kind === 'status' && entry.message !== undefined) putParts(texts, entry.message.parts);
  if (entry.kind === 'artifact') {
    const { name, description, parts } = entry.artifact;
    texts.push(name ?? '', description ?? '');
    putParts(texts, parts);
  }
  return clean(
    texts
      .filter(text => text !== '')
      .join('\n')
      .slice(0, searchedLength),
  );
}

function putParts(texts: string[], parts: readonly Part[]): void {
  for (const part of parts.map(withBytes)) {
    texts.push(part.filename ?? '');
    if ('text' in part) texts.push(part.text);
    else if ('url' in part) texts.push(part.url);
    else if ('data' in part) putData(texts, '', part.data, 0);
  }
}

/** One line for each value, with its name: text is found as it reads, not with JSON's escapes. */
function putData(texts: string[], name: string, value: unknown, depth: number): void {
  if (isObjectOrArray(value)) {
    if (name !== '') texts.push(name.trimEnd());
    if (depth === deepest) return;
    for (const [key, member] of Object.entries(value)) putData(texts, Array.isArray(value) ? '' : `${key}: `, member, depth + 1);
  } else texts.push(`${name}${String(value)}`);
}
