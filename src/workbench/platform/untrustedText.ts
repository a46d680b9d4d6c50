import { replaceControls, replaceInvisible, withDirectionMarksSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { secretsToMask } from './shownSecrets.ts';

/** Breaks up syntax that VS Code interprets, without being visible. */
const zeroWidthSpace = '\u200b';

/** Text of an agent for the log, with its lines kept: characters that control a terminal or mislead a reader are escaped. */
export function escapeControls(text: string): string {
  const withoutControls = replaceControls(
    secretsToMask.mask(text).replaceAll(/\r\n?/g, '\n'),
    character => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return replaceInvisible(withoutControls, character => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/**
 * Text of an agent as one line of visible characters, for labels. Characters that change its direction are escaped; characters of no width
 * are removed.
 */
export function oneLine(text: string): string {
  return escapeControls(replaceInvisible(withDirectionMarksSpelledOut(secretsToMask.mask(text).replaceAll(/\s+/g, ' ')), () => '')).trim();
}

/** The text, cut to `longest` UTF-16 code units with an ellipsis if it is longer. */
export function truncated(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Text of an agent for the user interface of VS Code, most of which draws `$(name)` as an icon: escaped so that it stays text. */
export function escapeIcons(text: string): string {
  return oneLine(text).replaceAll('$(', `$${zeroWidthSpace}(`);
}

/**
 * Text of an agent for notifications, dialogs and the message of an input box, which make `[text](command:…)` a link that runs a command:
 * escaped so that it stays text. Takes the whole message, including the agent's words in it.
 */
export function escapeLinks(text: string): string {
  return escapeIcons(text).replaceAll('](', `]${zeroWidthSpace}(`);
}

/**
 * Text of an agent for Markdown of VS Code, which turns web and mail addresses into links: appended so that all of it stays text. Addresses
 * are code, which can be copied; those with a backtick, which ends code, are broken up without being visible.
 */
export function appendWords<Markdown extends { appendText(text: string): unknown; appendMarkdown(markdown: string): unknown }>(
  markdown: Markdown,
  text: string,
): Markdown {
  let plain = '';
  // `appendText` makes spaces that never break; what may begin a list ("1. …") is joined by one all the same.
  const flush = (): void => {
    const words = plain.split(/ /);
    for (const [index, each] of words.entries()) {
      if (index > 0) markdown.appendMarkdown(/^\d+[.)]$/.test(words[index - 1]!) ? '&nbsp;' : ' ');
      if (each !== '') markdown.appendText(each);
    }
    plain = '';
  };
  for (const token of text.split(/(\s+)/)) {
    const [, word = '', mark = ''] = /^(.*?)([,.;:!?)]*)$/s.exec(token) ?? [];
    const isAddress = /:\/\/|\bwww\.|@/i.test(word);
    if (!isAddress || word.includes('`')) {
      plain += isAddress ? brokenUp(token) : token;
      continue;
    }
    flush();
    markdown.appendMarkdown(`\`${word}\``);
    plain = mark;
  }
  flush();
  return markdown;
}

const brokenUp = (text: string): string =>
  text
    .replaceAll('://', `:${zeroWidthSpace}//`)
    .replaceAll(/\b(www)\./gi, `$1${zeroWidthSpace}.`)
    .replaceAll('@', `@${zeroWidthSpace}`);

/** True for a UUID: a task that the agent only listed may have no other title than its id. */
export const isUuid = (title: string): boolean => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(title);

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const columns = (characters: readonly string[]): number => characters.reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0);

/** Columns of a tree row in a side bar of usual width: for title and description together, and the title's least and most. */
const row = { both: 28, least: 10, most: 24 };

/** A title for a tree row, short enough that the description beside it (the state) stays visible. */
export function shortTitle(text: string, beside = ''): string {
  const room = Math.min(row.most, Math.max(row.least, row.both - columns([...beside])));
  const characters = [...oneLine(text)];
  if (columns(characters) <= room) return characters.join('');
  while (columns(characters) >= room) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}
