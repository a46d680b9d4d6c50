import { existsSync } from 'node:fs';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
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

/** `a2a` as it is in `dist`, with a folder for what it reads. */
export class TerminalProgram {
  readonly folder: string;
  readonly path: string;

  private constructor(folder: string, path: string) {
    this.folder = folder;
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

  async run(args: readonly string[], options?: StartOptions): Promise<Ended> {
    const child = this.start(args, options);
    child.stdin.end();
    return ended(child);
  }

  /** A folder with these files; the value is written as JSON where it is no text. */
  async workspace(files: Readonly<Record<string, unknown>>): Promise<string> {
    const path = await mkdtemp(join(this.folder, 'w-'));
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    }
    return path;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { status: child.exitCode, out, err };
}
