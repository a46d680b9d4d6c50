/** Languages whose code is coloured, with the other names they go by. The script that colours is loaded when one of them is on show. */
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

/** The name of a language whose code is coloured. */
export type Language = keyof typeof languages;

const byName: ReadonlyMap<string, Language> = new Map(
  (Object.entries(languages) as [Language, readonly string[]][]).flatMap(([name, others]) =>
    [name, ...others].map(each => [each, name] as const),
  ),
);

/** The language that goes by this name in a fence or a media type; undefined for one whose code is not coloured. */
export const languageNamed = (name: string): Language | undefined => byName.get(name.toLowerCase());

/** The name of the language a media type means, for text parts that are code: `application/ld+json` is `json`, `text/x-python` is `python`. */
export function languageOf(mediaType: string): string | undefined {
  const name = (mediaType.split(';')[0] ?? '')
    .trim()
    .toLowerCase()
    .replace(/^[^/]*\//, '')
    .replace(/^(?:x-|vnd\.)/, '');
  return [name, name.replace(/^.*\+/, '')].find(candidate => languageNamed(candidate) !== undefined);
}
