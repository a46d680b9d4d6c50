/**
 * Languages that are highlighted, with their aliases.
 *
 * To add one: a row here and one in `highlight.ts`.
 */
export const languages = {
  bash: ['sh', 'shell', 'zsh'],
  css: [],
  diff: ['patch'],
  go: ['golang'],
  java: ['jsp'],
  json: ['jsonc', 'json5'],
  markdown: ['md', 'mkdown', 'mkd'],
  python: ['py', 'gyp', 'ipython'],
  sql: [],
  typescript: ['ts', 'tsx', 'mts', 'cts', 'javascript', 'js', 'jsx', 'mjs', 'cjs'],
  xml: ['html', 'xhtml', 'rss', 'atom', 'xjb', 'xsd', 'xsl', 'plist', 'wsf', 'svg'],
  yaml: ['yml'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Name of a highlighted language. */
export type Language = keyof typeof languages;

const byName: ReadonlyMap<string, Language> = new Map(
  (Object.entries(languages) as [Language, readonly string[]][]).flatMap(([name, others]) =>
    [name, ...others].map(each => [each, name] as const),
  ),
);

/** The language for a name in a fence or media type; undefined where it is not highlighted. */
export const languageNamed = (name: string): Language | undefined => byName.get(name.toLowerCase());

/** The language name of a media type, for text parts that are code: `application/ld+json` is `json`, `text/x-python` is `python`. */
export function languageOf(mediaType: string): string | undefined {
  const name = (mediaType.split(';')[0] ?? '')
    .trim()
    .toLowerCase()
    .replace(/^[^/]*\//, '')
    .replace(/^(?:x-|vnd\.)/, '');
  return [name, name.replace(/^.*\+/, '')].find(candidate => languageNamed(candidate) !== undefined);
}
