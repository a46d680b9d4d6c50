import { existsSync } from 'node:fs';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Ended, RunOptions } from '../../support/cli/runTerminal.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface StartOptions extends Pick<RunOptions, 'cwd' | 'env'> {
  /** The Node that it runs on; that of the tests where it is left out. */
  readonly node?: string;
}

/** Another text in the place of one that a source has once. */
export interface ProgramFlaw {
  /** From the root of the project. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const planted = ({ file, from, to }: ProgramFlaw): Plugin => ({
  name: 'flaw',
  setup: ({ onLoad }) =>
    onLoad({ filter: new RegExp(`[\\\\/]${basename(file).replace('.', '\\.')}$`) }, async ({ path }) => {
      if (path !== join(root, file)) return undefined;
      const source = await readFile(path, 'utf8');
      if (source.split(from).length !== 2)
        throw new Error(`${file} does not have ${JSON.stringify(from)} once: the flaw has to follow it.`);
      return { contents: source.replace(from, () => to), loader: 'ts' };
    }),
});

/** `a2a` as it is in `dist`, in a process of its own. */
export class TerminalProgram extends TerminalFolder {
  readonly path: string;

  private constructor(folder: string, path: string) {
    super(folder);
    this.path = path;
  }

  /** What the build made; with flaws, which its tests have to notice, it is built anew. */
  static async build(...flaws: readonly ProgramFlaw[]): Promise<TerminalProgram> {
    const folder = await mkdtemp(join(tmpdir(), 'a2a-terminal-'));
    if (flaws.length === 0) {
      const built = join(root, 'dist', 'cli.cjs');
      if (!existsSync(built)) throw new Error(`${built} is missing: "npm test -- process" builds it, "npm run build" as well.`);
      return new TerminalProgram(folder, built);
    }
    const path = join(folder, 'cli.cjs');
    await build({
      entryPoints: [join(root, 'src', 'cli.ts')],
      outfile: path,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      mainFields: ['module', 'main'],
      plugins: flaws.map(planted),
    });
    return new TerminalProgram(folder, path);
  }

  start(
    args: readonly string[],
    { cwd = this.folder, env = {}, node = process.execPath }: StartOptions = {},
  ): ChildProcessWithoutNullStreams {
    return spawn(node, [this.path, ...args], { stdio: 'pipe', cwd, env: { ...process.env, ...env } });
  }

  override async run(args: readonly string[], { stdin, onErr, ...options }: StartOptions & RunOptions = {}): Promise<Ended> {
    const child = this.start(args, options);
    child.stdin.end(stdin);
    if (onErr !== undefined) child.stderr.on('data', (chunk: Buffer) => onErr(String(chunk)));
    return ended(child);
  }
}

export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { status: child.exitCode, out, err };
}
