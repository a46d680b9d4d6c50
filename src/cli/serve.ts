import { readRecording } from '../recording/recording.ts';
import { english, Problem } from '../protocol/problem.ts';
import { textOf } from '../protocol/message/part.ts';
import { readNamedText } from '../request/values/sandboxedFiles.ts';
import { portOf } from './listen.ts';
import { notRead } from './run/runFiles.ts';
import { oneLine } from './terminal/output.ts';
import { printFault } from './terminal/printProblem.ts';
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
    throw new UsageError(`--binding must be ${playedBindings.join(' or ')}, not ${JSON.stringify(values.binding.slice(0, 60))}.`);
  const player = new Player(await recordingOf(path, host.cwd()), {
    version: values['protocol-version'],
    binding,
    speed,
    isLoose: values.loose === true,
    onError: error => printFault(output, error),
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
  let text: string;
  try {
    text = await readNamedText(path, cwd);
  } catch (error) {
    return notRead(error);
  }
  try {
    return readRecording(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new FileError(`${path}: ${english(error.sentence)}`, { cause: error });
  }
}

/** @throws UsageError */
function speedOf(speed: string): number {
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(speed))
    throw new UsageError(`--speed must be a number such as 0, 1 or 10, not ${JSON.stringify(speed.slice(0, 20))}.`);
  return Number(speed);
}
