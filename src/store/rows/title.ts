import type { Message } from '../../protocol/message/message.ts';
import { textOf } from '../../protocol/message/part.ts';
import { withBytes } from '../../protocol/versions/shared/fileContent.ts';

/** Longest title, in UTF-16 code units. */
const maxLength = 120;

/** In so much of a text its first line is looked for, in UTF-16 code units. */
const maxSearched = 4096;

/** Longest line in which marks of Markdown are looked for, in UTF-16 code units. */
const maxMarked = 4 * maxLength;

/** The title of a message in lists: the words of its first line of text, shortened, or the name or kind of its first file or data if it has no text. */
export function titleOf(message: Message): string {
  const line = textOf(message.parts)
    .slice(0, maxSearched)
    .split(/[\r\n]+/)
    .map(text => text.trim())
    .find(text => text !== '');
  if (line !== undefined) return shorten(withoutMarks(line));
  const [part] = message.parts.slice(0, 1).map(withBytes);
  if (part === undefined) return '…';
  return shorten(part.filename ?? part.mediaType ?? ('url' in part ? part.url : 'data' in part ? 'data' : '…'));
}

/** The words of a line of Markdown: without the marks of headings, emphasis, code and links. */
function withoutMarks(line: string): string {
  const plain = line
    .slice(0, maxMarked)
    .replace(/^#{1,6}\s+/, '')
    .replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1')
    .replaceAll(/(\*\*|~~|`)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<![\w*])([*_])(?=[^\s*_])([^*_]*[^\s*_])\1(?![\w*])/g, '$2');
  return plain === '' ? line : plain;
}

/** Cut to the length of a title. */
export function shorten(text: string): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1);
  // Not in the middle of a surrogate pair.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
