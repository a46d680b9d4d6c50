import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runTerminal, type Ended, type RunOptions } from './runTerminal.ts';

/** A folder for what `a2a` reads and writes. */
export class TerminalFolder {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<TerminalFolder> {
    return new TerminalFolder(await mkdtemp(join(tmpdir(), 'a2a-terminal-')));
  }

  /** Runs `a2a` in this process, in the folder unless another one is given. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended> {
    return runTerminal(args, { cwd: this.folder, ...options });
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
