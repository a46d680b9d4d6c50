import { isObjectOrArray } from '../../protocol/json/depth.ts';
import { replaceControls, replaceInvisible, spelledOut } from '../../protocol/hiddenCharacters.ts';

/** Multi-line text with hidden characters spelled out, except line breaks and tabs; for elements that keep line breaks. */
export function visibleLines(text: string): string {
  return hiddenSpelledOut(text.replaceAll('\r\n', '\n'));
}

/** Text with hidden characters spelled out as `⟨U+202E⟩`: for file names, media types, names and addresses of agents. */
export function visible(text: string): string {
  return hiddenSpelledOut(text).replaceAll(/[\t\n]/g, spelledOut);
}

const hiddenSpelledOut = (text: string): string => replaceInvisible(replaceControls(text, spelledOut), spelledOut);

/** A JSON value with hidden characters in texts and member names spelled out; line breaks stay. */
export function visibleIn<Value>(value: Value): Value {
  if (typeof value === 'string') return visibleLines(value) as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => visibleIn(item)) as Value;
  if (!isObjectOrArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]: [string, unknown]) => [visible(name), visibleIn(inner)])) as Value;
}

/** A name on one line: white space collapsed, hidden characters spelled out, cut at `limit` characters. */
export function visibleName(text: string, limit = 200): string {
  const line = visible(
    text
      .slice(0, limit * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
