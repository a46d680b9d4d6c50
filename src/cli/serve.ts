import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { maxRecordingLength, readRecording } from '../recording/recording.ts';
import { english, Problem } from '../protocol/problem.ts';
import { textOf } from '../protocol/message/part.ts';
import { portOf } from './listen.ts';
import { oneLine } from './terminal/output.ts';
import type { Terminal } from './terminal/terminal.ts';
import { FileError, UsageError } from './terminal/usage.ts';

/** Plays a recording as an agent on this machine until it is interrupted. */
export async function serve({ host, output, values, signal }: Terminal, [path = '']: readonly string[]): Promise<number> {
  // A web server takes longer to load than the rest of the program.
  const { Player, playedBindings } = await import('../recording/player.ts');
  const port = portOf(values.port ?? '0');
  const speed = speedOf(values.speed ?? '1');
  const binding = playedBindings.find(name => name === values.binding);
  if (values.binding !== undefined && binding === undefined)
    throw new UsageError(
      `--binding must be ${`${playedBindings.slice(0, -1).join(', ')} or ${playedBindings.at(-1)}`}, not ${JSON.stringify(values.binding.slice(0, 60))}.`,
    );
  const player = new Player(await recordingOf(path, host.cwd()), {
    version: values['protocol-version'],
    binding,
    speed,
    isLoose: values.loose === true,
    onError: error => output.printError(`Something went wrong inside a2a: ${error instanceof Error ? error.message : String(error)}`),
    onMessage: (message, answer) =>
      output.printError(
        `${oneLine(JSON.stringify(textOf(message.parts).slice(0, 60)))}: ${answer === undefined ? 'in no recording' : `answered like request ${answer}`}`,
      ),
  });
  try {
    await player.start(port);
  } catch (error) {
    throw new UsageError(`Port ${port} cannot be listened on: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
  }
  try {
    if (values.json === true) output.printValue({ url: player.url });
    else output.print(player.url);
    output.printError('Listening on this machine alone. Ctrl+C ends it.');
    await new Promise<void>(ended => {
      if (signal.aborted) ended();
      else signal.addEventListener('abort', () => ended(), { once: true });
    });
    return signal.reason as number;
  } finally {
    await player.stop();
    const { answered, unmatched } = player.counts;
    output.printError(`Messages: ${answered} answered from the recording, ${unmatched} in no recording.`);
  }
}

/** @throws FileError */
async function recordingOf(path: string, cwd: string): Promise<ReturnType<typeof readRecording>> {
  const whole = resolve(cwd, path);
  const found = statSync(whole, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new FileError(found === undefined ? `File not found: ${path}` : `${path} is not a file.`);
  if (found.size > 2 * maxRecordingLength) throw new FileError(`${path} is larger than any recording.`);
  try {
    return readRecording(await readFile(whole, 'utf8'));
  } catch (error) {
    if (!(error instanceof Problem)) throw new FileError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
    throw new FileError(`${path}: ${english(error.sentence)}`, { cause: error });
  }
}

/** @throws UsageError */
function speedOf(speed: string): number {
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(speed))
    throw new UsageError(`--speed must be a number such as 0, 1 or 10, not ${JSON.stringify(speed.slice(0, 20))}.`);
  return Number(speed);
}
