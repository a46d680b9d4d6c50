import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Lexer, type Tokens } from 'marked';
import { runTerminal, type Ended } from '../support/cli/runTerminal.ts';
import { startSampleAgents, type StartedSampleAgents } from '../support/sampleAgents.ts';
import { Muted } from './matrix/muted.ts';
import { ended, type StartOptions, TerminalProgram } from './support/terminalProgram.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = ['README.md', 'README.zh-cn.md', ...globSync('docs/*.md', { cwd: root })].filter(
  path => !/(?:development|reliability|settings|conformance-results)\.md$/.test(path),
);

interface Page {
  /** Contents of files by their paths: fences whose first line is a comment with a path. */
  readonly files: Readonly<Record<string, string>>;
  readonly hasRequests: boolean;
  readonly commands: readonly { readonly line: string; readonly env: Readonly<Record<string, string>> }[];
}

function read(path: string): Page {
  const fences = new Lexer().lex(readFileSync(join(root, path), 'utf8')).flatMap(allFences);
  const files: Record<string, string> = {};
  for (const { text } of fences.filter(({ lang }) => lang === 'jsonc' || lang === 'a2a')) {
    const name = /^\/\/ ([\w./-]+\.(?:json|a2a))\s*\n/.exec(text)?.[1];
    if (name !== undefined) files[name] = text;
  }
  const env: Record<string, string> = {};
  const commands = fences
    .filter(({ lang }) => lang === 'sh')
    .flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, ' ').split('\n'))
    .flatMap(line => {
      const [, name, value] = /^export (\w+)=(.*)$/.exec(line) ?? [];
      if (name !== undefined) env[name] = (value ?? '').replace(/^(['"])(.*)\1$/, '$2');
      return line.startsWith('a2a ') ? [{ line, env: { ...env } }] : [];
    });
  return { files, hasRequests: fences.some(({ lang }) => lang === 'a2a'), commands };
}

function allFences(token: Tokens.Generic): readonly Tokens.Code[] {
  if (token.type === 'code') return [token as Tokens.Code];
  const inside = token.type === 'list' ? (token as Tokens.List).items : (token.tokens ?? []);
  return inside.flatMap(allFences);
}

/** The words of a command line as a POSIX shell splits them; no example uses more of a shell than quotes and comments. */
function wordsOf(line: string): { readonly args: readonly string[]; readonly status: number } {
  const [, command = '', status = '0'] = /^a2a (.*?)(?:\s+# exits with (\d+))?$/.exec(line) ?? [];
  const text = command.replace(/\s+#\s.*$/, '');
  const args = [...text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  return { args, status: Number(status) };
}

suite('examples of README and docs', () => {
  let program: TerminalProgram;
  let agents: StartedSampleAgents;
  const muted = new Muted();
  suiteSetup(async () => {
    // Sample agents write each notification that is refused to the console.
    muted.start();
    [program, agents] = await Promise.all([TerminalProgram.build(), startSampleAgents({ pace: 0 })]);
  });
  suiteTeardown(async () => {
    await Promise.all([agents.stop(), program.remove()]);
    muted.stop();
  });

  const withAddresses = (text: string): string => text.replaceAll('http://localhost:41241', agents.urls.Currency.replace(/\/$/, ''));
  async function workspace(path: string, { files }: Page): Promise<string> {
    const addressed = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, withAddresses(text)]));
    return program.workspace({
      ...addressed,
      '.vscode/settings.json': { 'a2a.agents': Object.fromEntries(Object.entries(agents.urls).map(([name, url]) => [name, { url }])) },
      'page.md': withAddresses(readFileSync(join(root, path), 'utf8')),
    });
  }

  /** A process that is interrupted as soon as it prints something. */
  async function interrupted(args: readonly string[], options: StartOptions): Promise<Ended> {
    const child = program.start(args, options);
    child.stdin.end();
    const result = ended(child);
    await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), result]);
    child.kill('SIGINT');
    return result;
  }

  for (const path of pages) {
    const page = read(path);
    if (page.hasRequests) {
      test(`${path}: its requests bring what they expect`, async () => {
        const { status, out, err } = await runTerminal(['run', 'page.md'], { cwd: await workspace(path, page) });
        assert.deepEqual([status, err], [0, ''], out);
      });
    }
    if (page.commands.length > 0) {
      test(`${path}: its command lines run`, async () => {
        const cwd = await workspace(path, page);
        for (const { line, env } of page.commands) {
          const { args, status } = wordsOf(withAddresses(line));
          const options = { cwd, env: { NO_COLOR: '1', ...env } };
          // These wait until somebody ends them.
          const endless = /^a2a (?:listen|serve|.*--watch)/.test(line);
          const { status: given, out, err } = await (endless ? interrupted(args, options) : runTerminal(args, options));
          assert.equal(given, endless ? 130 : status, `${line}\n${out}${err}`);
        }
      });
    }
  }

  test('there are examples of both kinds', () => {
    const all = pages.map(read);
    assert.ok(all.filter(({ hasRequests }) => hasRequests).length >= 3);
    assert.ok(all.flatMap(({ commands }) => commands).length >= 20);
  });
});
