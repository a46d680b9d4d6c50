/** Characters that turn the direction of text (CVE-2021-42574), and marks that do it for one place. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A character that is not seen, spelled out: `⟨U+202E⟩`. */
export const spelledOut = (character: string): string => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** Running text with every character that turns its direction spelled out: what is read is then in the order in which it was written. */
export const unturned = (text: string): string => text.replace(turning, spelledOut);
