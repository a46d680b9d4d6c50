import { commands, parseCommand } from './cli/commands.ts';
import { helpOutput } from './cli/help.ts';
import { completeOldNode } from './cli/terminal/nodeVersion.ts';
import { printError } from './cli/terminal/output.ts';
import { printProblem } from './cli/terminal/printProblem.ts';
import { runProcess, type StopSignals } from './cli/terminal/process.ts';
import { FileError, seeHelp, exitStatus, UsageError, WriteError } from './cli/terminal/usage.ts';
import { Problem } from './protocol/problem.ts';

async function main(args: readonly string[], stop: StopSignals): Promise<number> {
  try {
    const text = helpOutput(args);
    if (text !== undefined) {
      process.stdout.write(text);
      return exitStatus.fine;
    }
    const parsed = args[0] === 'help' ? undefined : parseCommand(args);
    // Help and mistakes of the command line need nothing of it. All commands together: each `import()` more splits what they share into files,
    // and a file takes longer to load than what it has in it.
    const { printManual, runCommand } = await import('./cli/runCommand.ts');
    if (parsed !== undefined) return await runCommand(parsed, stop);
    printManual();
    return exitStatus.fine;
  } catch (error) {
    // An interrupt at a question is not a wrong answer.
    if (stop.interrupt.aborted) return stop.interrupt.reason as number;
    if (error instanceof UsageError) {
      const isKnown = Object.keys(commands).some(name => name.split(' ')[0] === args[0]);
      printError(error.message, seeHelp(isKnown ? args[0] : undefined));
      return exitStatus.usage;
    }
    if (error instanceof FileError) {
      printError(error.message);
      return error instanceof WriteError ? exitStatus.output : exitStatus.usage;
    }
    if (!(error instanceof Problem)) throw error;
    return printProblem(error);
  }
}

completeOldNode();
runProcess(stop => main(process.argv.slice(2), stop), { reports: ['run', 'check'].includes(process.argv[2] ?? '') });
