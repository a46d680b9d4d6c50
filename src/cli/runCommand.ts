import { environmentNetwork } from '../client/network/chooseProxy.ts';
import { Http } from '../client/http/http.ts';
import { loadObserver } from '../conformance/rules/loadedRules.ts';
import { SecretOrigins } from '../model/agents/secretOrigins.ts';
import type { AgentCard } from '../protocol/card/agentCard.ts';
import { login, logout, status } from './auth/auth.ts';
import { explain } from './auth/explain.ts';
import { allowancePath, signInFile } from './auth/signInFile.ts';
import { terminalAuthentication } from './auth/terminalSignIns.ts';
import { card } from './card/card.ts';
import { chat } from './chat/chat.ts';
import { check } from './check/check.ts';
import type { CommandName, ParsedCommand } from './commands.ts';
import { compare } from './compare.ts';
import { importRequests } from './importRequests.ts';
import { listen } from './listen.ts';
import { mcp } from './mcp/mcp.ts';
import { exportK6 } from './run/exportK6.ts';
import { run } from './run/run.ts';
import { send } from './send.ts';
import { serve } from './serve.ts';
import { getOrCancel, list, subscribe } from './task.ts';
import { askUser } from './terminal/ask.ts';
import { allowedSettings, FolderAllowance } from './terminal/folderAllowance.ts';
import { eachCredential } from './terminal/headerOptions.ts';
import { namedAgent, withSettings } from './terminal/namedAgent.ts';
import { oneLine } from './terminal/output.ts';
import type { ProgramRun } from './terminal/process.ts';
import { Recordings } from './terminal/recordings.ts';
import { selectionIn } from './terminal/selection.ts';
import { noLog, originsOf, type Terminal } from './terminal/terminal.ts';
import { warnOfInsecure } from './terminal/tlsOptions.ts';
import { exitStatus } from './terminal/usage.ts';

const functions: Readonly<Record<CommandName, (terminal: Terminal, positionals: readonly string[]) => Promise<number>>> = {
  card,
  send,
  chat,
  'task get': (terminal, positionals) => getOrCancel(terminal, 'GetTask', positionals),
  'task list': list,
  'task cancel': (terminal, positionals) => getOrCancel(terminal, 'CancelTask', positionals),
  'task subscribe': subscribe,
  run,
  check,
  export: exportK6,
  import: importRequests,
  listen,
  serve,
  compare,
  mcp,
  auth: explain,
  'auth login': login,
  'auth logout': logout,
  'auth status': status,
};

/** The reference of request files: `a2a help files`. */
export { manual } from './manual.ts';
export { faultRows } from './serve.ts';

/** Runs a command with its options and the settings of its agent. Resolves to the exit status. */
export async function runCommand(
  { name, command, values: given, positionals: written }: ParsedCommand,
  programRun: ProgramRun,
): Promise<number> {
  const { host, output, interrupt, giveUp } = programRun;
  let recordings: Recordings | undefined;
  const connections = new Http({ network: () => Promise.resolve(environmentNetwork(host.env)), loadObserver });
  try {
    const word = command.isOfAgent === true ? (written[0] ?? '') : given.fill;
    const found = word === undefined ? undefined : await namedAgent(word, programRun);
    const ask = askUser({ host, output, signal: interrupt });
    const allowance = new FolderAllowance({ allowed: originsOf(given), ask, store: signInFile(allowancePath(host.env)) });
    const agent = found && { ...found, settings: await allowedSettings(found.name, found.settings, { allowance, output }) };
    const values = agent === undefined ? given : withSettings(given, agent, command.usesAllInterfaces);
    const positionals = agent === undefined || command.isOfAgent !== true ? written : [agent.settings.url, ...written.slice(1)];
    const { connectTimeoutMs, answerTimeoutMs, http2 } = agent?.settings ?? {};
    const http = connections.for({
      ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
      ...(answerTimeoutMs !== undefined && { answerTimeoutMs }),
      ...(http2 !== undefined && { http2 }),
    });
    warnOfInsecure(values, output);
    for (const line of values.header ?? []) eachCredential(line, (name, value) => output.secrets.addHeader(name, value));
    const cards = new Map<string, AgentCard>();
    const authentication = terminalAuthentication({ host, output, values, http, signal: interrupt, agent, allowance }, url =>
      cards.get(url),
    );
    const log = values.raw ? output.rawLog() : noLog;
    recordings = values.record === undefined ? undefined : new Recordings(values.record, values.replace ?? [], { host, output });
    const selection = selectionIn(values);
    output.selection = selection;
    const ending = await functions[name](
      {
        host,
        output,
        values,
        http,
        signal: interrupt,
        giveUp,
        log,
        recordings,
        authentication,
        origins: new SecretOrigins({ allowed: values['allow-origin'] ?? [] }),
        allowance,
        agent,
        typedAgent: word,
        cards,
      },
      positionals,
    );
    if (selection?.foundNothing !== true) return ending;
    output.printError(
      oneLine(`Nothing of what was printed is at the pointers of --select. There are: ${selection.members.join(', ') || 'none'}.`),
    );
    return ending === exitStatus.fine ? exitStatus.usage : ending;
  } finally {
    await connections.close();
    recordings?.write();
  }
}
