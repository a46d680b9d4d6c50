import * as assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parse, type ParseError } from 'jsonc-parser';
import { Lexer, type Token, type Tokens } from 'marked';
import { helpPages } from '../../../src/workbench/help/helpPages.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const files = ['README.md', 'README.zh-cn.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/*.{md,txt}', { cwd: root })].map(path =>
  path.replaceAll('\\', '/'),
);
/** Pages for people who work on the project. */
const notes = ['docs/architecture.md', 'docs/dependencies.md', 'docs/development.md', 'docs/reliability.md'];
/** Pages for users, without the lists of them. */
const pages = files.filter(
  path => path.startsWith('docs/') && path.endsWith('.md') && !path.includes('docs/README') && !notes.includes(path),
);
const english = pages.filter(path => !path.endsWith('.zh-cn.md'));

const tokensOf = (path: string): readonly Token[] => {
  const found: Token[] = [];
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      found.push(token);
      if (token.type === 'table')
        for (const cell of [...(token as Tokens.Table).header, ...(token as Tokens.Table).rows.flat()]) walk(cell.tokens);
      else if (token.type === 'list') for (const item of (token as Tokens.List).items) walk(item.tokens);
      else walk((token as { readonly tokens?: readonly Token[] }).tokens ?? []);
    }
  };
  walk(new Lexer().lex(read(path)));
  return found;
};
const tokens = new Map(files.map(path => [path, tokensOf(path)]));
const of = <T extends Token>(path: string, type: T['type']): readonly T[] =>
  (tokens.get(path) ?? []).filter((token): token is T => token.type === type);

/** The name of a heading in an address, as GitHub and VS Code make it; a second one of the same words gets a number. */
function anchorsOf(path: string): readonly string[] {
  const counts = new Map<string, number>();
  return of<Tokens.Heading>(path, 'heading').map(({ text }) => {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const before = counts.get(slug) ?? 0;
    counts.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

const linksOf = (path: string): readonly string[] => [
  ...of<Tokens.Link>(path, 'link').map(({ href }) => href),
  ...of<Tokens.Image>(path, 'image').map(({ href }) => href),
];

/** What is wrong with a link, where something is. */
function broken(from: string, href: string): string | undefined {
  if (/^(?:https?|mailto):/.test(href)) return undefined;
  const [address = '', fragment] = href.split('#');
  const path = address === '' ? from : relative(root, resolve(root, dirname(from), address)).replaceAll('\\', '/');
  if (!existsSync(join(root, path))) return `${from}: ${href} leads nowhere`;
  if (fragment === undefined || anchorsOf(path).includes(fragment)) return undefined;
  return `${from}: ${path} has no heading for #${fragment}`;
}

const commandTitles = new Set(
  Object.entries(JSON.parse(read('package.nls.json')) as Record<string, string>)
    .filter(([key]) => key.startsWith('command.'))
    .map(([, title]) => title),
);

/** The words of a text, without its values: placeholders, numbers and the like. */
const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\d{}]+/gu) ?? []).filter(word => !/[\d{}]/.test(word)).join(' ');

suite('documentation', () => {
  test('links lead somewhere', () => {
    const all = files.flatMap(path => linksOf(path).map(href => broken(path, href)));
    assert.ok(all.length > 100, `${all.length} links`);
    assert.deepEqual(
      all.filter(each => each !== undefined),
      [],
    );
    assert.ok(broken('README.md', 'docs/nothing.md') !== undefined && broken('README.md', '#nothing') !== undefined);
  });

  test('the pages that everyone begins with are short', () => {
    for (const [path, most] of [
      ['README.md', 10_000],
      ['CONTRIBUTING.md', 12_000],
      ['docs/development.md', 20_000],
    ] as const)
      assert.ok(Buffer.byteLength(read(path)) <= most, `${path}: ${Buffer.byteLength(read(path))} bytes`);
    assert.ok(read('docs/architecture.md').split('\n').length <= 150);
  });

  test('every page is in the lists of pages', () => {
    for (const list of ['docs/README.md', 'docs/llms.txt'])
      assert.deepEqual(
        english.filter(path => !linksOf(list).some(href => href.split('#')[0] === path.replace('docs/', ''))),
        [],
        list,
      );
  });

  for (const path of pages) {
    test(`${path} begins with a job, and soon shows how it is done`, () => {
      const [first, ...rest] = new Lexer().lex(read(path)).filter(({ type }) => type !== 'space');
      assert.ok(first?.type === 'heading' && (first as Tokens.Heading).depth === 1);
      const shown = rest.findIndex(token => ['code', 'table', 'list'].includes(token.type) || /!\[/.test(token.raw));
      assert.ok(shown >= 0 && shown <= 4, `an example, table, list or picture is the ${shown + 1}th thing`);
      assert.equal(of<Tokens.Heading>(path, 'heading').filter(({ depth }) => depth === 1).length, 1);
    });
  }

  test('commands are called as the Command Palette calls them', () => {
    const named = [...files.filter(path => !path.includes('zh-cn') && !notes.includes(path) && path !== 'CHANGELOG.md')].flatMap(path =>
      [...read(path).matchAll(/\*A2A:\s+([^*]+)\*/g)].map(([, title = '']) => [path, title.replaceAll(/\s+/g, ' ')] as const),
    );
    assert.ok(named.length > 40, `${named.length} commands`);
    assert.deepEqual(
      named.filter(([, title]) => !commandTitles.has(title)),
      [],
    );
  });

  test('messages in Troubleshooting are worded as the program words them', () => {
    const quotes = of<Tokens.Em>('docs/troubleshooting.md', 'em').map(({ text }) => wordsOf(text.replace(/^A2A: /, '')));
    assert.ok(quotes.length > 60, `${quotes.length} quotes`);
    const texts = [
      ...Object.keys(JSON.parse(read('l10n/bundle.l10n.zh-cn.json')) as object),
      ...Object.values(JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>),
      // VS Code's own.
      'Workspaces: Manage Workspace Trust',
    ].map(wordsOf);
    assert.deepEqual(
      quotes.filter(quote => !texts.some(text => text.includes(quote))),
      [],
    );
  });

  test('examples in JSON are JSON, with comments', () => {
    for (const path of files) {
      for (const { lang, text } of of<Tokens.Code>(path, 'code').filter(({ lang: name }) => /^jsonc?$/.test(name ?? ''))) {
        const errors: ParseError[] = [];
        parse(/^\s*"/.test(text) ? `{${text}}` : text, errors, { allowTrailingComma: lang === 'jsonc' });
        assert.deepEqual(errors, [], `${path}: ${text}`);
      }
    }
  });

  test('requests in a page name no other file: they are checked where the page is shown, and the file is not there', () => {
    const requests = files.flatMap(path => of<Tokens.Code>(path, 'code')).filter(({ lang }) => lang === 'a2a');
    assert.ok(requests.length > 5, `${requests.length} fences`);
    assert.deepEqual(
      requests.map(({ text }) => text).filter(text => /"import"|\$file/.test(text)),
      [],
    );
  });

  test('problems that lead to a page are those of the code', () => {
    const code = globSync('src/**/*.ts', { cwd: root, exclude: ['src/workbench/help/helpPages.ts'] })
      .map(read)
      .join('\n');
    assert.deepEqual(
      Object.keys(helpPages).filter(problem => !code.includes(`'${problem}'`)),
      [],
    );
  });

  test('problems and the walkthrough lead to pages and headings that exist', () => {
    const leads = [
      ...Object.values(helpPages),
      ...[...read('package.nls.json').matchAll(/a2a\.openDocumentation\?([^)]*)/g)].map(
        ([, args = '']) => (JSON.parse(decodeURIComponent(args)) as readonly [string])[0],
      ),
    ];
    assert.ok(leads.length > 7, `${leads.length} leads`);
    assert.deepEqual(
      leads.map(lead => broken('docs/README.md', lead.replace(/^[^#]*/, '$&.md'))).filter(each => each !== undefined),
      [],
    );
  });
});
