/** Maximum length of the text of an HTML page, in UTF-16 code units. */
const maxLength = 300;

/** A body as shown to people: of an HTML page, its title and first words on one line; any other text unchanged. */
export function excerpt(text: string): string {
  if (!/^\s*<(?:!doctype\s+html|html|head|body)\b/i.test(text)) return text;
  const title = plain(/<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? '');
  const words = plain(text.replaceAll(/<(head|script|style)\b[^]*?(?:<\/\1>|$)/gi, ' '));
  const shown = words.length > maxLength ? `${words.slice(0, maxLength).toWellFormed()}…` : words;
  return `An HTML page${title === '' ? '' : `, "${title}"`}${shown === '' || shown === title ? '' : `: ${shown}`}`;
}

/** Character references in the error pages of frameworks. */
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", nbsp: ' ' };

const plain = (text: string): string =>
  text
    .replaceAll(/<[^>]*(?:>|$)/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27|nbsp);/gi, (_, name: string) => entities[name.toLowerCase()] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
