import { type ChildProcess, execFile, spawn } from 'node:child_process';

/** The program of a launch configuration. */
export interface Program {
  /** A line for the system's shell. */
  readonly command: string;
  readonly cwd: string;
  /** Over the variables of VS Code; null removes one. */
  readonly env: Readonly<Record<string, string | null>>;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Exit status, or the name of the signal. */
  readonly status: number | string;
  /** The last line that it wrote, shortened; empty where it wrote none. */
  readonly lastLine: string;
}

/** How long a program may take to end by itself once it is asked to, in milliseconds, and how often it is looked whether it has. */
const graceMs = 3_000;
const lookMs = 25;
/** Longest line that is kept, in UTF-16 code units. */
const maxLine = 500;

/** A program of a launch configuration, with all that it starts: on POSIX a process group, on Windows a tree of processes. */
export class AgentProcess {
  readonly #child: ChildProcess;
  readonly #write: (text: string, category: 'stdout' | 'stderr') => void;
  #lastLine = '';
  /** Resolves when it has ended, with all that holds its output. Never rejects. */
  readonly ended: Promise<ProgramEnd>;

  constructor({ command, cwd, env }: Program, write: (text: string, category: 'stdout' | 'stderr') => void) {
    this.#write = write;
    const isPosix = process.platform !== 'win32';
    const child = (this.#child = spawn(command, { shell: true, cwd, env: environment(env), detached: isPosix, windowsHide: true }));
    child.stdin.end();
    for (const category of ['stdout', 'stderr'] as const)
      child[category].setEncoding('utf8').on('data', (text: string) => this.#read(text, category));
    const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
    this.ended = promise;
    child.once('error', error => resolve({ status: error.message, lastLine: this.#lastLine }));
    // What it left behind without output ends with it.
    child.once('close', (code, signal) => {
      void this.stop().then(() => resolve({ status: signal ?? code ?? 0, lastLine: this.#lastLine }));
    });
  }

  /** Undefined where the program could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Asks all of it to end, and ends what is left after three seconds. Resolves when nothing is left. */
  async stop(): Promise<void> {
    if (this.pid === undefined) return;
    if (process.platform === 'win32') {
      await endTree(this.pid);
      return;
    }
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!signalGroup(this.pid, signal)) return;
      for (const end = performance.now() + graceMs; performance.now() < end; ) {
        await new Promise(resolve => setTimeout(resolve, lookMs));
        if (!signalGroup(this.pid, 0)) return;
      }
    }
  }

  /** Ends all of it without waiting: the window closes. */
  kill(): void {
    if (this.pid === undefined) return;
    if (process.platform === 'win32') void endTree(this.pid);
    else signalGroup(this.pid, 'SIGKILL');
  }

  #read(text: string, category: 'stdout' | 'stderr'): void {
    const last = text
      .split(/\r?\n/)
      .map(line => line.trim())
      .findLast(line => line !== '');
    if (last !== undefined) this.#lastLine = last.slice(0, maxLine);
    this.#write(text, category);
  }
}

/** Variables of VS Code's own processes would make an Electron of a Node.js, and more; terminals lack them as well. */
function environment(env: Program['env']): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VSCODE_|ELECTRON_)/.test(name));
  const all = { ...Object.fromEntries(own), ...env };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as NodeJS.ProcessEnv;
}

/** False where the group has no process any more. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Windows has no process groups; `taskkill` fails where the process has ended. */
const endTree = (pid: number): Promise<void> =>
  new Promise(resolve => execFile('taskkill', ['/pid', String(pid), '/t', '/f'], () => resolve()));
