import { createHash } from 'node:crypto';
import { isObject } from '../../protocol/json.ts';
import type { Artifact } from '../../protocol/message/task.ts';
import { textOf, type DataPart } from '../../protocol/message/part.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { shown, type Failure } from './check.ts';
import { isMatcher, mismatches } from './matcher.ts';
import { isSame } from './sameValue.ts';

/** Expected content of an artifact; absent members are not checked. */
interface WantedContent {
  /** Contained, or a matcher. */
  readonly text?: unknown;
  /** A value or a matcher. */
  readonly data?: unknown;
  /** A text, a value, or a part with `raw` (base64). */
  readonly content?: unknown;
}

interface Fault extends Pick<Failure, 'expected' | 'actual'> {
  /** A sentence about the artifact. */
  readonly what: LocalizedMessage;
}

/** The first thing that an artifact should hold and does not; undefined where it holds all. Throws a `Problem` as `mismatches` does. */
export const contentFault = (artifact: Artifact, wanted: WantedContent): Fault | undefined =>
  textFault(artifact, wanted.text) ?? dataFault(artifact, wanted.data) ?? partFault(artifact, wanted.content);

function textFault({ parts }: Artifact, wanted: unknown): Fault | undefined {
  if (wanted === undefined) return undefined;
  const text = textOf(parts);
  const matcher = typeof wanted === 'string' ? { contains: wanted } : isObject(wanted) ? wanted : { equals: wanted };
  const [first] = mismatches(matcher, text, text !== '');
  return first && { what: sentence('its text {0}.', first.what), expected: first.expected, actual: text };
}

function dataFault({ parts }: Artifact, wanted: unknown): Fault | undefined {
  if (wanted === undefined) return undefined;
  const values = parts.filter((part): part is DataPart => 'data' in part).map(({ data }) => data);
  if (values.length === 0) return { what: sentence('it has no data part.'), expected: shown(wanted), actual: shown(parts.map(kindOfPart)) };
  const matcher = isMatcher(wanted) ? wanted : { equals: wanted };
  const faults = values.map(value => mismatches(matcher, value)[0]);
  const [first] = faults;
  if (first === undefined || faults.includes(undefined)) return undefined;
  return { what: sentence('its data {0}.', first.what), expected: first.expected, actual: first.actual ?? shown(values[0]) };
}

function partFault({ parts }: Artifact, wanted: unknown): Fault | undefined {
  if (wanted === undefined) return undefined;
  const file = isObject(wanted) && typeof wanted['raw'] === 'string' ? Buffer.from(wanted['raw'], 'base64') : undefined;
  const asText = isObject(wanted) && typeof wanted['text'] === 'string' ? wanted['text'] : wanted;
  // A text that was streamed came in several parts.
  const text = textOf(parts);
  const holds =
    (file === undefined ? typeof asText === 'string' && text === asText : text !== '' && file.equals(Buffer.from(text))) ||
    parts.some(part =>
      'raw' in part
        ? file?.equals(Buffer.from(part.raw, 'base64')) === true
        : 'text' in part
          ? part.text === asText
          : 'data' in part && isSame(wanted, part.data),
    );
  if (holds) return undefined;
  const byReference =
    parts.length > 0 && parts.every(part => 'url' in part) ? sentence('it is a file by reference, which is not loaded.') : undefined;
  // A diff of bytes would not help: they are the same or not.
  if (file !== undefined)
    return {
      what: byReference ?? sentence('no part has the bytes of the file.'),
      expected: ofBytes(file),
      actual: parts.map(kindOfPart).join('\n'),
    };
  const [only] = parts;
  const actual = parts.length === 1 && only !== undefined && 'data' in only ? shown(only.data) : text || parts.map(kindOfPart).join('\n');
  return { what: byReference ?? sentence('no part matches.'), expected: shown(asText), actual };
}

/** A part in a few words: bytes by their number and hash, a file by reference by its address. */
function kindOfPart(part: Artifact['parts'][number]): string {
  if ('raw' in part) return ofBytes(Buffer.from(part.raw, 'base64'));
  if ('url' in part) return `by reference: ${part.url}`;
  return 'data' in part ? 'data' : 'text';
}

const ofBytes = (bytes: Buffer): string => `${bytes.length} bytes, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`;
