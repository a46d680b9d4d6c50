/**
 * Characters that nobody sees and that change what is read (CVE-2021-42574, "Trojan Source"), as they are written between the brackets of a pattern with
 * the flag `u`. There is no other list of them.
 */
const classes = {
  /** Steer a terminal. A tab and a line feed, which steer one too, are told apart by whoever shows several lines. */
  control: '\\p{Cc}',
  /** Turn the direction of text, for all that follows or for one place. Unicode has them among those of no width, too. */
  turning: '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069',
  /** Have no width, or only look like a blank: joiners, fillers, variants, tags. */
  noWidth: '\\p{Default_Ignorable_Code_Point}',
  /** Line ends of some programs only. */
  lineEnd: '\\u2028\\u2029',
  /** Marks around an annotation, which is drawn by no program. */
  annotation: '\\ufff9-\\ufffb',
} as const;

/** Between the brackets of a pattern with the flag `u`: what can stand between two characters without being seen. */
export const betweenCharacters = `${classes.noWidth}${classes.annotation}`;

/** Scripts in which a joiner, or what keeps from joining, is part of how a word is written, as ISO 15924 calls them. */
const joined = 'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'.replaceAll(/(\w+) ?/g, '\\p{sc=$1}');

/** What stays, each behind what it belongs to: joiners in emoji and in such scripts, variants of emoji, of Han and of Mongolian letters. */
const needed =
  String.raw`(?<=\p{ExtPict}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d|(?<=[${joined}])[\u200c\u200d]|(?<=\p{Emoji})[\ufe0e\ufe0f]|` +
  String.raw`(?<=\p{UIdeo})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=[\p{sc=Mymr}\p{Sm}])\ufe00|(?<=\p{sc=Mong})[\u180b-\u180d\u180f]`;

/** The three flags of emoji that are written in tag characters: those of GB-ENG, GB-SCT and GB-WLS. */
const flags = String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;

const unseen = `[${classes.noWidth}${classes.lineEnd}${classes.annotation}]`;
const invisible = new RegExp(`(${flags})|(?=${unseen})(?!${needed})${unseen}`, 'gu');
const turning = new RegExp(`[${classes.turning}]`, 'gu');
const controls = new RegExp(`(?![\\t\\n])[${classes.control}]`, 'gu');

type Write = (character: string) => string;

/** The text with `write` of each character that nobody sees in the place of that, but for control characters. What writing needs stays. */
export const replaceInvisible = (text: string, write: Write): string =>
  text.replace(invisible, (character, flag: string | undefined) => flag ?? write(character));

/** The text with `write` of each control character in the place of that, but for tabs and line feeds. */
export const replaceControls = (text: string, write: Write): string => text.replace(controls, write);

/** Running text with every character that turns its direction spelled out: what is read is then in the order in which it was written. */
export const unturned = (text: string): string => text.replace(turning, spelledOut);

/** A character that is not seen, spelled out: `⟨U+202E⟩`. */
export const spelledOut: Write = character => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** As JSON escapes a character, which leaves a text in JSON the text it is. */
export const jsonEscape: Write = character =>
  character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
