import { understand } from './cli/commands.ts';
import { eachCredential } from './cli/terminal/headerOptions.ts';
import { excerpt } from './cli/terminal/excerpt.ts';
import { informationFor } from './cli/help.ts';
import { secretValues, tell, wire } from './cli/terminal/output.ts';
import { runProcess, type Ending } from './cli/terminal/process.ts';
import { silent } from './cli/terminal/terminal.ts';
import { FileError, seeHelp, status, UsageError } from './cli/terminal/usage.ts';
import { Http } from './client/http/http.ts';
import { inTerminal, Problem } from './protocol/problem.ts';

async function main(args: readonly string[], { interrupt, giveUp }: Ending): Promise<number> {
  const http = new Http();
  try {
    const text = informationFor(args);
    if (text !== undefined) {
      process.stdout.write(text);
      return status.fine;
    }
    const { command, values, positionals } = understand(args);
    for (const line of values.header ?? []) eachCredential(line, (name, value) => secretValues.addHeader(name, value));
    return await command.run({ values, http, signal: interrupt, giveUp, log: values.raw ? wire : silent }, positionals);
  } catch (error) {
    // Who ends the command at a question has not answered it wrongly.
    if (interrupt.aborted) return interrupt.reason as number;
    if (error instanceof UsageError) {
      tell(error.message, seeHelp(args[0]));
      return status.usage;
    }
    if (error instanceof FileError) {
      tell(error.message);
      return status.usage;
    }
    if (!(error instanceof Problem)) throw error;
    tell(
      error.message,
      ...(error.nextStep === undefined ? [] : [inTerminal(error.nextStep)]),
      ...(error.details ? [`  | ${excerpt(error.details)}`] : []),
    );
    return error.code === 'time-limit' ? status.taskFailed : status.agent;
  } finally {
    await http.close();
  }
}

runProcess(ending => main(process.argv.slice(2), ending), { reports: process.argv[2] === 'run' });
