import { allowancePath, signInFile } from './cli/auth/signInFile.ts';
import { terminalAuthentication } from './cli/auth/terminalSignIns.ts';
import { commands, parseCommand } from './cli/commands.ts';
import { askUser } from './cli/terminal/ask.ts';
import { allowedSettings, FolderAllowance } from './cli/terminal/folderAllowance.ts';
import { eachCredential } from './cli/terminal/headerOptions.ts';
import { helpOutput } from './cli/help.ts';
import { secretValues, oneLine, printError, rawOutput, select } from './cli/terminal/output.ts';
import { printProblem } from './cli/terminal/printProblem.ts';
import { selectionIn } from './cli/terminal/selection.ts';
import { runProcess, type StopSignals } from './cli/terminal/process.ts';
import { namedAgent, withSettings } from './cli/terminal/namedAgent.ts';
import { completeOldNode } from './cli/terminal/nodeVersion.ts';
import { noLog, originsOf } from './cli/terminal/terminal.ts';
import { warnOfInsecure } from './cli/terminal/tlsOptions.ts';
import { FileError, seeHelp, exitStatus, UsageError, WriteError } from './cli/terminal/usage.ts';
import { Http } from './client/http/http.ts';
import { loadObserver } from './conformance/rules/loadedRules.ts';
import { environmentNetwork } from './client/network/chooseProxy.ts';
import type { AgentCard } from './protocol/card/agentCard.ts';
import { Problem } from './protocol/problem.ts';

async function main(args: readonly string[], { interrupt, giveUp }: StopSignals): Promise<number> {
  const connections = new Http({ network: () => Promise.resolve(environmentNetwork()), loadObserver });
  try {
    const text = helpOutput(args);
    if (text !== undefined) {
      process.stdout.write(text);
      return exitStatus.fine;
    }
    const { command, values: given, positionals: written } = parseCommand(args);
    const found = command.isOfAgent === true ? await namedAgent(written[0] ?? '', process.cwd()) : undefined;
    const allowance = new FolderAllowance({ allowed: originsOf(given), ask: askUser(interrupt), store: signInFile(allowancePath()) });
    const agent = found && { ...found, settings: await allowedSettings(found.name, found.settings, allowance) };
    const values = agent === undefined ? given : withSettings(given, agent, command.usesAllInterfaces);
    const positionals = agent === undefined ? written : [agent.settings.url, ...written.slice(1)];
    const { connectTimeoutMs, answerTimeoutMs, http2 } = agent?.settings ?? {};
    const http = connections.for({
      ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
      ...(answerTimeoutMs !== undefined && { answerTimeoutMs }),
      ...(http2 !== undefined && { http2 }),
    });
    warnOfInsecure(values);
    for (const line of values.header ?? []) eachCredential(line, (name, value) => secretValues.addHeader(name, value));
    const cards = new Map<string, AgentCard>();
    const authentication = terminalAuthentication({ values, http, signal: interrupt, agent, allowance }, url => cards.get(url));
    const log = values.raw ? rawOutput : noLog;
    const selection = selectionIn(values);
    select(selection);
    const status = await command.run(
      {
        values,
        http,
        signal: interrupt,
        giveUp,
        log,
        authentication,
        allowance,
        agent,
        typedAgent: command.isOfAgent === true ? written[0] : undefined,
        cards,
      },
      positionals,
    );
    if (selection?.foundNothing !== true) return status;
    printError(
      oneLine(`Nothing of what was printed is at the pointers of --select. There are: ${selection.members.join(', ') || 'none'}.`),
    );
    return status === exitStatus.fine ? exitStatus.usage : status;
  } catch (error) {
    // An interrupt at a question is not a wrong answer.
    if (interrupt.aborted) return interrupt.reason as number;
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
  } finally {
    await connections.close();
  }
}

completeOldNode();
runProcess(ending => main(process.argv.slice(2), ending), { reports: ['run', 'check'].includes(process.argv[2] ?? '') });
