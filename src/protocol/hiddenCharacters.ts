/**
 * Invisible characters that change how text is read (CVE-2021-42574, "Trojan Source"), written as character classes for a pattern with the
 * flag `u`. This is the only list of them.
 */
const classes = {
  /** Control characters. Tab and line feed are also among them; code that shows several lines makes an exception for those. */
  control: '\\p{Cc}',
  /** Change the direction of the text that follows or of one position. Unicode also counts them as characters without width. */
  turning: '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069',
  /** Have no width, or look like a space: joiners, fillers, variation selectors, tags. */
  noWidth: '\\p{Default_Ignorable_Code_Point}',
  /** Line ends in some programs only. */
  lineEnd: '\\u2028\\u2029',
  /** Marks around an annotation; no program draws them. */
  annotation: '\\ufff9-\\ufffb',
} as const;

/** Scripts that need joiners or non-joiners for correct spelling, by ISO 15924 code. */
const joined = 'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'.replaceAll(/(\w+) ?/g, '\\p{sc=$1}');

/**
 * Characters that are kept, each after what it belongs to: joiners in emoji and in these scripts, variation selectors of emoji, Han and
 * Mongolian letters.
 */
const needed =
  String.raw`(?<=\p{ExtPict}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d|(?<=[${joined}])[\u200c\u200d]|(?<=\p{Emoji})[\ufe0e\ufe0f]|` +
  String.raw`(?<=\p{UIdeo})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=[\p{sc=Mymr}\p{Sm}])\ufe00|(?<=\p{sc=Mong})[\u180b-\u180d\u180f]`;

/** The three flag emoji that use tag characters: GB-ENG, GB-SCT and GB-WLS. */
const flags = String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;

const unseen = `[${classes.noWidth}${classes.lineEnd}${classes.annotation}]`;
const invisible = new RegExp(`(${flags})|(?=${unseen})(?!${needed})${unseen}`, 'gu');
/** Marks above and below one letter that are drawn: a browser takes seconds for one letter with thousands. No script needs a quarter of them. */
const maxMarks = 32;
const turning = new RegExp(`[${classes.turning}]|\\p{M}(?<=\\p{M}{${maxMarks + 1}})`, 'gu');
const controls = new RegExp(`(?![\\t\\n])[${classes.control}]`, 'gu');

type Write = (character: string) => string;

/** Replaces each invisible character, except control characters, with what `write` returns. Characters that a script needs are kept. */
export const replaceInvisible = (text: string, write: Write): string =>
  text.replace(invisible, (character, flag: string | undefined) => flag ?? write(character));

/** Replaces each control character, except tabs and line feeds, with what `write` returns. */
export const replaceControls = (text: string, write: Write): string => text.replace(controls, write);

/**
 * The text with every character that changes its direction spelled out, so that it is read in the order in which it was written, and marks
 * of a letter beyond the first 32.
 */
export const withDirectionMarksSpelledOut = (text: string): string => text.replace(turning, spelledOut);

/** Spells out an invisible character: `⟨U+202E⟩`. */
export const spelledOut: Write = character => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** Writes a character as a JSON escape, so that the JSON keeps its meaning. */
export const jsonEscape: Write = character =>
  character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
