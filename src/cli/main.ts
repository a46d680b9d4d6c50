import { commands, parseCommand } from './commands.ts';
import { helpOutput } from './help.ts';
import { printProblem } from './terminal/printProblem.ts';
import type { ProgramRun } from './terminal/process.ts';
import { seeHelp, exitStatus, FileError, UsageError, WriteError } from './terminal/usage.ts';
import { Problem } from '../protocol/problem.ts';

/** Runs the program with these arguments. Resolves to the exit status. */
export async function main(args: readonly string[], run: ProgramRun): Promise<number> {
  const { host, output, interrupt } = run;
  try {
    const text = await helpOutput(args);
    if (text !== undefined) {
      host.stdout.write(text);
      return exitStatus.fine;
    }
    const parsed = args[0] === 'help' ? undefined : parseCommand(args);
    // Help and mistakes of the command line need nothing of it. All commands together: each `import()` more splits what they share into files,
    // and a file takes longer to load than what it has in it.
    const { manual, runCommand } = await import('./runCommand.ts');
    if (parsed !== undefined) return await runCommand(parsed, run);
    host.stdout.write(manual());
    return exitStatus.fine;
  } catch (error) {
    // An interrupt at a question is not a wrong answer.
    if (interrupt.aborted) return interrupt.reason as number;
    if (error instanceof UsageError) {
      const isKnown = Object.keys(commands).some(name => name.split(' ')[0] === args[0]);
      output.printError(error.message, seeHelp(isKnown ? args[0] : undefined));
      return exitStatus.usage;
    }
    if (error instanceof FileError) {
      output.printError(error.message);
      return error instanceof WriteError ? exitStatus.output : exitStatus.usage;
    }
    if (!(error instanceof Problem)) throw error;
    return printProblem(output, error);
  }
}
