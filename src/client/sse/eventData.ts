import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { parseJson } from '../http/parseJson.ts';

/** U+001E, before each text of a JSON text sequence (RFC 7464). */
const recordSeparator = '\u001e';
/** The field's name, written once more by servers that frame an event which is framed already. */
const doubledName = /^(?:data:\s*)+/;

/** Most lines in the data of one event that are tried as JSON of their own. */
const maxLines = 10_000;

/** Content of the data of one event. */
interface EventData {
  /** JSON values; empty where the data is not JSON. */
  readonly values: readonly unknown[];
  /** How the data departs from one JSON text in one line. */
  readonly deviation?: LocalizedMessage;
  /** Why there are none, although the data may be JSON. */
  readonly problem?: Problem;
}

/** Reads the data of an event: one JSON text, or any of the other ways in which servers have been seen to write JSON there. */
export function readEventData(data: string): EventData {
  try {
    return readWhole(data);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return { values: [], problem };
  }
}

function readWhole(data: string): EventData {
  const value = parseJson(data);
  if (value === undefined) return readOddData(data);
  const lines = data.includes('\n') ? linesOf(data).length : 1;
  return { values: [value], ...(lines > 1 && { deviation: spreadOver(lines) }) };
}

function readOddData(data: string): EventData {
  if (data.includes(recordSeparator)) {
    const values = everyJson(data.split(recordSeparator).filter(text => text.trim() !== ''));
    if (values !== undefined)
      return {
        values,
        deviation: sentence('The data of an event begins with U+001E, as JSON text sequences do; it should be the JSON alone.'),
      };
  }
  const lines = linesOf(data);
  if (lines.length > 1 && lines.length <= maxLines) {
    // A break inside a string is not JSON; a server that cuts a text anywhere means the pieces to be one again.
    const values = everyJson([lines.join('')]) ?? everyJson(lines.filter(line => line.trim() !== ''));
    if (values !== undefined) return { values, deviation: spreadOver(lines.length) };
  }
  const inner = doubledName.test(data) ? parseJson(data.replace(doubledName, '')) : undefined;
  return inner === undefined
    ? { values: [] }
    : { values: [inner], deviation: sentence('The data of an event begins with a second "data:".') };
}

const linesOf = (data: string): readonly string[] => data.split('\n');

const spreadOver = (lines: number): LocalizedMessage =>
  sentence('The JSON of an event is spread over {0} data lines; many clients read each line by itself.', lines);

/** Undefined where one of the texts is not JSON, or there is none. */
function everyJson(texts: readonly string[]): readonly unknown[] | undefined {
  const values = texts.map(text => parseJson(text) ?? parseJson(linesOf(text).join('')));
  return values.length === 0 || values.includes(undefined) ? undefined : values;
}
