/**
 * Characters that change what a name or an address looks like without being seen: controls, bidirectional overrides and isolates,
 * zero-width and other invisible ones, and Unicode's tag characters (CVE-2021-42574, "Trojan Source"). The joiner inside an emoji stays.
 */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const hidden = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e01ef}]|(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d/gu;

/** The text with every hidden character spelled out as `⟨U+202E⟩`: for file names, media types, names and addresses of agents. */
export function visible(text: string): string {
  return text.replace(hidden, character => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** A name on one line: white space runs become one blank, hidden characters are spelled out, and it is cut at `limit` characters. */
export function visibleName(text: string, limit = 200): string {
  const line = visible(text.slice(0, limit * 4).replace(/\s+/g, ' ').trim());
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
