import { replaceControls, replaceInvisible, unturned } from '../../protocol/hiddenCharacters.ts';
import { shownSecrets } from './shownSecrets.ts';

/** Parts syntax that VS Code gives a meaning, without being seen itself. */
const zeroWidthSpace = '\u200b';

/** Text of an agent for the log, line by line: what would steer a terminal or deceive a reader is written out. */
export function escapeControls(text: string): string {
  const steerless = replaceControls(
    shownSecrets.mask(text).replaceAll(/\r\n?/g, '\n'),
    character => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return replaceInvisible(steerless, character => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/**
 * Text of an agent as one line of visible characters, which would tear a label or hide what it says otherwise. What turns its direction is
 * spelled out; what has no width at all is left out.
 */
export function oneLine(text: string): string {
  return escapeControls(replaceInvisible(unturned(shownSecrets.mask(text).replaceAll(/\s+/g, ' ')), () => '')).trim();
}

/** The beginning of a text that is longer than so many characters, and a sign that it goes on. */
export function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Text of an agent for VS Code's own surfaces, most of which draw `$(name)` as an icon: there it stays the text it is. */
export function escapeIcons(text: string): string {
  return oneLine(text).replaceAll('$(', `$${zeroWidthSpace}(`);
}

/**
 * Text of an agent for notifications, dialogs and the message of an input box, which make `[text](command:…)` a link that runs a
 * command: there it stays the text it is. Takes the whole message, ours and the agent's words in it.
 */
export function escapeLinks(text: string): string {
  return escapeIcons(text).replaceAll('](', `]${zeroWidthSpace}(`);
}

/** Text of an agent for Markdown of VS Code, which makes links of web and mail addresses by themselves: there they stay text. */
export function unaddressed(text: string): string {
  return text
    .replaceAll('://', `:${zeroWidthSpace}//`)
    .replaceAll(/\b(www)\./gi, `$1${zeroWidthSpace}.`)
    .replaceAll('@', `@${zeroWidthSpace}`);
}

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const columns = (characters: readonly string[]): number => characters.reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0);

/** Columns of a tree row in a side bar of usual width, for the title and what stands beside it; the title gets these at least and at most. */
const row = { both: 30, least: 10, most: 24 };

/** A title for a tree row, short enough that what stands beside it (the state, which the title must not push out) can be read. */
export function shortTitle(text: string, beside = ''): string {
  const room = Math.min(row.most, Math.max(row.least, row.both - columns([...beside])));
  const characters = [...oneLine(text)];
  if (columns(characters) <= room) return characters.join('');
  while (columns(characters) >= room) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}
