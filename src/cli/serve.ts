import { faultSynopsis, faultText, readFault, type ChosenFault } from '../mock/chosenFault.ts';
import { faultNames, faults } from '../mock/faults.ts';
import { english, Problem } from '../protocol/problem.ts';
import { textOf } from '../protocol/message/part.ts';
import { portOf } from './listen.ts';
import { readRecordingFile } from './recordingFile.ts';
import { RealAgent } from './realAgent.ts';
import { requestOptionNames } from './terminal/options.ts';
import { oneLine } from './terminal/output.ts';
import { Recordings } from './terminal/recordings.ts';
import type { Terminal } from './terminal/terminal.ts';
import { UsageError } from './terminal/usage.ts';

/** Faults with what each does, for the help. */
export const faultRows = (): (readonly [fault: string, about: string])[] =>
  faultNames.map(name => [faultSynopsis(name), english(faults[name].about)]);

/** Plays a recording as an agent on this machine until it is interrupted. */
export async function serve(terminal: Terminal, [path = '']: readonly string[]): Promise<number> {
  const { host, output, values, signal, agent } = terminal;
  // A web server takes longer to load than the rest of the program.
  const { Player, playedBindings } = await import('../recording/player.ts');
  const port = portOf(values.port ?? '0');
  const speed = speedOf(values.speed ?? '1');
  const binding = playedBindings.find(name => name === values.binding);
  if (values.binding !== undefined && binding === undefined)
    throw new UsageError(
      `--binding must be ${`${playedBindings.slice(0, -1).join(', ')} or ${playedBindings.at(-1)}`}, not ${JSON.stringify(values.binding.slice(0, 60))}.`,
    );
  const faults = (values.fault ?? []).map(faultOf);
  const { fill, replace = [] } = values;
  const useless = fill === undefined ? onlyToFill.find(name => values[name] !== undefined) : undefined;
  if (useless !== undefined) throw new UsageError(`--${useless} is for --fill.`);
  const recording = await readRecordingFile(path, host.cwd());
  const recordings = fill === undefined ? undefined : new Recordings(path, replace, { host, output });
  const toAgent = { ...terminal, recordings, values: { ...values, 'protocol-version': undefined } };
  const real = fill === undefined ? undefined : new RealAgent(toAgent, agent?.settings.url ?? fill);
  const unmatched = fill === undefined ? 'in no recording' : 'in no recording, goes through';
  const player = new Player(recording, {
    faults,
    version: values['protocol-version'],
    binding,
    speed,
    isLoose: values.loose === true,
    through: real && (asked => real.answer(asked)),
    onError: error =>
      output.printError(
        error instanceof Problem
          ? oneLine(english(error.sentence))
          : `Something went wrong inside a2a: ${error instanceof Error ? error.message : String(error)}`,
      ),
    onMessage: (message, answer) =>
      output.printError(
        `${oneLine(JSON.stringify(textOf(message.parts).slice(0, 60)))}: ${answer === undefined ? unmatched : `answered like request ${answer}`}`,
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
    const { chosen } = player.faults;
    if (chosen.length > 0) output.printError(`Faults: ${chosen.map(faultText).join(', ')}`);
    output.printError('Listening on this machine alone. Ctrl+C ends it.');
    await new Promise<void>(ended => {
      if (signal.aborted) ended();
      else signal.addEventListener('abort', () => ended(), { once: true });
    });
    return signal.reason as number;
  } finally {
    await player.stop();
    const { counts } = player;
    if (values.json === true) output.printValue(counts);
    else output.printError(`Messages: ${counts.reused} reused, ${counts.through} passed through, ${counts.unmatched} unmatched.`);
    if (real !== undefined && counts.through > 0) recordings?.write({ recording, after: real.after });
  }
}

/** Options for requests to the real agent. */
const onlyToFill = ['replace', ...requestOptionNames] as const;

/** @throws UsageError */
function faultOf(text: string): ChosenFault {
  try {
    return readFault(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new UsageError(`--fault: ${english(error.sentence)}${error.nextStep === undefined ? '' : ` ${english(error.nextStep)}`}`, {
      cause: error,
    });
  }
}

/** @throws UsageError */
function speedOf(speed: string): number {
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(speed))
    throw new UsageError(`--speed must be a number such as 0, 1 or 10, not ${JSON.stringify(speed.slice(0, 20))}.`);
  return Number(speed);
}
