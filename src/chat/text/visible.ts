import { spelledOut } from '../../protocol/message/turning.ts';

/**
 * Characters that change what a name or an address looks like without being seen: controls, bidirectional overrides and isolates,
 * zero-width and other invisible ones, and Unicode's tag characters (CVE-2021-42574, "Trojan Source"). The joiner inside an emoji stays.
 */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const hidden = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e01ef}]|(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d/gu;

/** The text with every hidden character spelled out as `⟨U+202E⟩`: for file names, media types, names and addresses of agents. */
export function visible(text: string): string {
  return text.replace(hidden, spelledOut);
}

/** Text of more than one line, for an element that keeps line breaks: these and tabs stay, everything else that is hidden is spelled out. */
export function visibleLines(text: string): string {
  return text.replaceAll('\r\n', '\n').split(/([\n\t])/).map((piece, index) => (index % 2 === 1 ? piece : visible(piece))).join('');
}

/** A value like this one whose texts and names of members have every hidden character spelled out; line breaks stay. */
export function visibleIn<Value>(value: Value): Value {
  if (typeof value === 'string') return visibleLines(value) as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => visibleIn(item)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]: [string, unknown]) => [visible(name), visibleIn(inner)])) as Value;
}

/** A name on one line: white space runs become one blank, hidden characters are spelled out, and it is cut at `limit` characters. */
export function visibleName(text: string, limit = 200): string {
  const line = visible(text.slice(0, limit * 4).replace(/\s+/g, ' ').trim());
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
