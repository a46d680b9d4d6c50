import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas } from '../src/request/schema/schemas.ts';
import { schemaTexts } from '../src/request/schema/translatedSchema.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const table = (path: string): Readonly<Record<string, string>> => JSON.parse(read(path)) as Record<string, string>;

/** The regular expression of a string literal in either kind of quotes: the formatter takes double ones where there is an apostrophe. One group, the literal with its quotes. */
export const stringLiteral = String.raw`('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;

/** The value of a string literal; supports escapes of quotes and backslashes only. */
export const textOfLiteral = (literal: string): string => literal.slice(1, -1).replaceAll(/\\(.)/g, '$1');

/** Calls whose first argument is a sentence for people: workbench, panel, and the boxes below. */
const calls: readonly (readonly [glob: string, call: RegExp])[] = [
  ['src/{workbench/**/*,extension,main}.ts', new RegExp(String.raw`vscode\.l10n\.t\(\s*${stringLiteral}`, 'g')],
  ['src/**/*.ts', new RegExp(String.raw`\bsentence\(\s*${stringLiteral}`, 'g')],
  // What a rule says is in its row.
  ['src/*/rules/*/*.ts', new RegExp(String.raw`\b(?:title|remedy|disputed):\s*${stringLiteral}`, 'g')],
  ['src/chat/**/*.{ts,tsx}', new RegExp(String.raw`(?<![\w.])t\(\s*${stringLiteral}`, 'g')],
];

/** The English sentences of each table of Chinese ones: those of the code, of the schemas and of the manifest. */
export function translated(): readonly {
  readonly path: string;
  readonly chinese: Readonly<Record<string, string>>;
  readonly used: ReadonlySet<string>;
}[] {
  const literals = calls.flatMap(([glob, call]) =>
    globSync(glob, { cwd: root }).flatMap(path => [...read(path).matchAll(call)].map(([, text = '']) => textOfLiteral(text))),
  );
  const tables: readonly (readonly [path: string, used: Iterable<string>])[] = [
    ['l10n/bundle.l10n.zh-cn.json', literals],
    ['l10n/schemas.l10n.zh-cn.json', Object.values(jsonSchemas()).flatMap(schema => [...schemaTexts(schema)])],
    ['package.nls.zh-cn.json', Object.keys(table('package.nls.json'))],
  ];
  return tables.map(([path, used]) => ({ path, chinese: table(path), used: new Set(used) }));
}

/** Sentences without a Chinese one, which are shown in English until there is one; a package with any is refused. */
export const untranslated = (): readonly string[] =>
  translated().flatMap(({ path, chinese, used }) => [...used].filter(text => chinese[text] === undefined).map(text => `${path}: ${text}`));
