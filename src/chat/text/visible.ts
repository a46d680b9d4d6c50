import { replaceControls, replaceInvisible, spelledOut } from '../../protocol/hiddenCharacters.ts';

/** Text of more than one line, for an element that keeps line breaks: these and tabs stay, everything else that is hidden is spelled out. */
export function visibleLines(text: string): string {
  return hiddenSpelledOut(text.replaceAll('\r\n', '\n'));
}

/** The text with every hidden character spelled out as `⟨U+202E⟩`: for file names, media types, names and addresses of agents. */
export function visible(text: string): string {
  return hiddenSpelledOut(text).replaceAll(/[\t\n]/g, spelledOut);
}

const hiddenSpelledOut = (text: string): string => replaceInvisible(replaceControls(text, spelledOut), spelledOut);

/** A value like this one whose texts and names of members have every hidden character spelled out; line breaks stay. */
export function visibleIn<Value>(value: Value): Value {
  if (typeof value === 'string') return visibleLines(value) as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => visibleIn(item)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]: [string, unknown]) => [visible(name), visibleIn(inner)])) as Value;
}

/** A name on one line: white space runs become one blank, hidden characters are spelled out, and it is cut at `limit` characters. */
export function visibleName(text: string, limit = 200): string {
  const line = visible(
    text
      .slice(0, limit * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
