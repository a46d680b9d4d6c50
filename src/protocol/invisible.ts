/** Scripts in which a joiner, or what keeps from joining, is part of how a word is written. */
const joined = ['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar']
  .map(script => `\\p{Script=${script}}`).join('');

/** What stays, each behind what it belongs to: joiners in emoji and in such scripts, variants of emoji, of Han and of Mongolian letters. */
const needed = [
  '(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d',
  `(?<=[${joined}])[\\u200c\\u200d]`,
  '(?<=\\p{Emoji})[\\ufe0e\\ufe0f]',
  '(?<=\\p{Unified_Ideograph})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=[\\p{Script=Myanmar}\\p{Sm}])\\ufe00',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
];

/** The three flags of emoji that are written in tag characters: England, Scotland, Wales. */
const flags = ['gbeng', 'gbsct', 'gbwls'].map(region => `\\u{1f3f4}${[...region].map(letter => `\\u{e00${letter.codePointAt(0)!.toString(16)}}`).join('')}\\u{e007f}`);

/** Two more line ends than a terminal knows, and marks of annotations, are not seen either. */
const invisible = new RegExp(`(${flags.join('|')})|(?!${needed.join('|')})[\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\ufff9-\\ufffb]`, 'gu');

/**
 * The text with `write` of each character that nobody sees in the place of that: of no width, turning the direction of text, breaking a line for some
 * programs only, or a tag (CVE-2021-42574). What writing needs stays.
 */
export const replaceInvisible = (text: string, write: (character: string) => string): string => text.replace(invisible, (character, flag: string | undefined) => flag ?? write(character));
