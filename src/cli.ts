import { understand } from './cli/commands.ts';
import { eachCredential } from './cli/headerOptions.ts';
import { secretValues, tell, wire } from './cli/output.ts';
import { runProcess, type Ending } from './cli/process.ts';
import { silent } from './cli/terminal.ts';
import { FileError, seeHelp, status, usage, UsageError } from './cli/usage.ts';
import { Http } from './client/http.ts';
import { inTerminal, Problem } from './protocol/problem.ts';

async function main(args: readonly string[], { interrupt, giveUp }: Ending): Promise<number> {
  const http = new Http();
  try {
    if (args.includes('--help') || args.includes('-h')) {
      process.stdout.write(usage);
      return status.fine;
    }
    const { command, values, positionals } = understand(args);
    for (const line of values.header ?? []) eachCredential(line, (name, value) => secretValues.addHeader(name, value));
    return await command.run({ values, http, signal: interrupt, giveUp, log: values.raw ? wire : silent }, positionals);
  } catch (error) {
    if (error instanceof UsageError) {
      tell(error.message, seeHelp(args[0]));
      return status.usage;
    }
    if (error instanceof FileError) {
      tell(error.message);
      return status.usage;
    }
    if (interrupt.aborted) return interrupt.reason as number;
    if (!(error instanceof Problem)) throw error;
    tell(error.message, ...(error.nextStep === undefined ? [] : [inTerminal(error.nextStep)]), ...(error.details ? [`  | ${error.details}`] : []));
    return status.agent;
  } finally {
    await http.close();
  }
}

// A reader that has seen enough, such as `head`, is no fault; what a run found out counts all the same.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (process.argv[2] !== 'run') process.exit(status.fine);
});
runProcess(ending => main(process.argv.slice(2), ending));
