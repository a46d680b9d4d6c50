import { understand } from './cli/commands.ts';
import { tell, wire } from './cli/output.ts';
import { silent } from './cli/terminal.ts';
import { FileError, status, usage, UsageError } from './cli/usage.ts';
import { Http } from './client/http.ts';
import { english, Problem } from './protocol/problem.ts';

async function main(args: readonly string[]): Promise<number> {
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  const http = new Http();
  try {
    if (args.includes('--help') || args.includes('-h')) {
      process.stdout.write(usage);
      return status.fine;
    }
    const { command, values, positionals } = understand(args);
    return await command.run({ values, http, signal: interrupt.signal, log: values.raw ? wire : silent }, positionals);
  } catch (error) {
    if (error instanceof UsageError) {
      tell(`${error.message}\n\n${usage}`);
      return status.usage;
    }
    if (error instanceof FileError) {
      tell(error.message);
      return status.usage;
    }
    if (interrupt.signal.aborted) return status.interrupted;
    if (!(error instanceof Problem)) throw error;
    tell([error.message, error.nextStep && english(error.nextStep), error.details].filter(Boolean).join('\n'));
    return status.agent;
  } finally {
    await http.close();
  }
}

// A reader that has seen enough, such as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(status.fine);
});
main(process.argv.slice(2)).then(code => {
  process.exitCode = code;
}, (error: unknown) => {
  // A defect of ours, with its stack; none of the documented statuses.
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 70;
});
