import { parseCommand } from './cli/commands.ts';
import { eachCredential } from './cli/terminal/headerOptions.ts';
import { excerpt } from './cli/terminal/excerpt.ts';
import { helpOutput } from './cli/help.ts';
import { secretValues, printError, rawOutput } from './cli/terminal/output.ts';
import { runProcess, type StopSignals } from './cli/terminal/process.ts';
import { noLog } from './cli/terminal/terminal.ts';
import { warnOfInsecure } from './cli/terminal/tlsOptions.ts';
import { FileError, seeHelp, exitStatus, UsageError } from './cli/terminal/usage.ts';
import { Http } from './client/http/http.ts';
import { environmentNetwork } from './client/network/environmentNetwork.ts';
import { inTerminal, Problem } from './protocol/problem.ts';

async function main(args: readonly string[], { interrupt, giveUp }: StopSignals): Promise<number> {
  const http = new Http({ network: () => Promise.resolve(environmentNetwork()) });
  try {
    const text = helpOutput(args);
    if (text !== undefined) {
      process.stdout.write(text);
      return exitStatus.fine;
    }
    const { command, values, positionals } = parseCommand(args);
    warnOfInsecure(values);
    for (const line of values.header ?? []) eachCredential(line, (name, value) => secretValues.addHeader(name, value));
    return await command.run({ values, http, signal: interrupt, giveUp, log: values.raw ? rawOutput : noLog }, positionals);
  } catch (error) {
    // Who ends the command at a question has not answered it wrongly.
    if (interrupt.aborted) return interrupt.reason as number;
    if (error instanceof UsageError) {
      printError(error.message, seeHelp(args[0]));
      return exitStatus.usage;
    }
    if (error instanceof FileError) {
      printError(error.message);
      return exitStatus.usage;
    }
    if (!(error instanceof Problem)) throw error;
    printError(
      error.message,
      ...(error.nextStep === undefined ? [] : [inTerminal(error.nextStep)]),
      ...(error.details ? [`  | ${excerpt(error.details)}`] : []),
    );
    return error.code === 'time-limit' ? exitStatus.taskFailed : exitStatus.agent;
  } finally {
    await http.close();
  }
}

runProcess(ending => main(process.argv.slice(2), ending), { reports: process.argv[2] === 'run' });
