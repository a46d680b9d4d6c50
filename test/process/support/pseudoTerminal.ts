import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';

/** `script` of util-linux gives a program a terminal of its own; the one of macOS takes other arguments. */
export const hasPseudoTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Runs a command in a terminal of its own: what it prints, on either stream, comes on standard output. */
export function inTerminal(
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  return spawn('script', ['-qec', words.map(quoted).join(' '), '/dev/null'], { stdio: 'pipe', cwd, env: { ...process.env, ...env } });
}

/** All that is printed, when it is; `answers` are typed in, each once its question was read. */
export async function typed(
  child: ChildProcessWithoutNullStreams,
  answers: Readonly<Record<string, string>>,
): Promise<{ readonly text: string; readonly status: number | null }> {
  const waiting = Object.entries(answers);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    const [next] = waiting;
    if (next === undefined || !text.includes(next[0])) return;
    waiting.shift();
    // Ctrl+C and Ctrl+D need no Enter.
    child.stdin.write(['\u0003', '\u0004'].includes(next[1]) ? next[1] : `${next[1]}\n`);
  });
  await new Promise(resolve => child.once('close', resolve));
  return { text: text.replaceAll('\r\n', '\n'), status: child.exitCode };
}
