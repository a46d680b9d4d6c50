import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { AgentClient } from './client/agentClient.ts';
import { resolveAgentCard, type ResolvedAgentCard } from './client/agentCardResolver.ts';
import { chooseInterface } from './client/agentInterface.ts';
import { Http } from './client/http.ts';
import type { WireLog } from './client/wireLog.ts';
import type { Exchange } from './protocol/exchange.ts';
import type { Message } from './protocol/message.ts';
import type { StreamingOperation, OperationParams } from './protocol/operations.ts';
import type { Part } from './protocol/part.ts';
import { english, Problem, sentence } from './protocol/problem.ts';
import type { StreamResponse } from './protocol/streamResponse.ts';
import type { Task } from './protocol/task.ts';
import { isActive, isTerminal, readTaskState, taskStates, type TaskState } from './protocol/taskState.ts';

const usage = `Usage:
  a2a card URL
  a2a send URL [TEXT] [--stream] [--task ID] [--context ID] [--file FILE]…
  a2a task get URL ID
  a2a task list URL [--context ID] [--status STATE]
  a2a task cancel URL ID
  a2a task subscribe URL ID

  URL    address of the agent or of its card; host:port will do
  TEXT   the message; read from standard input when left out

Options:
  --json                   print one A2A 1.0 object a line
  --raw                    print what the agent answered as it was on the wire
  --header 'NAME: VALUE'   send a header with every request (repeatable)
  --protocol-version V     speak this version of the card's, such as 0.3
  --allow-origin ORIGIN    also send requests and headers to this origin, if the card says so (repeatable)

Exit status: 0 all is well; 1 the task failed; 2 this command was not understood; 3 the agent could not be reached or answered an error.
`;

/** Exit status, see the usage. */
const status = { fine: 0, taskFailed: 1, usage: 2, agent: 3, interrupted: 130 } as const;

class UsageError extends Error {}

const options = {
  'json': { type: 'boolean' },
  'raw': { type: 'boolean' },
  'header': { type: 'string', multiple: true },
  'protocol-version': { type: 'string' },
  'allow-origin': { type: 'string', multiple: true },
  'stream': { type: 'boolean' },
  'task': { type: 'string' },
  'context': { type: 'string' },
  'status': { type: 'string' },
  'file': { type: 'string', multiple: true },
  'help': { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parse>['values'];
type OptionName = keyof typeof options;

/** Everything a command needs; one process runs one command. */
interface Terminal {
  readonly values: Values;
  readonly http: Http;
  readonly signal: AbortSignal;
  readonly log: WireLog;
}

interface Command {
  /** Options of its own, besides those that every command takes. */
  readonly options: readonly OptionName[];
  /** Fewest and most positional arguments after the command's name. */
  readonly positionals: readonly [number, number];
  readonly run: (terminal: Terminal, positionals: readonly string[]) => Promise<number>;
}

const everywhere: readonly OptionName[] = ['json', 'raw', 'header', 'protocol-version', 'allow-origin', 'help'];

const commands: Readonly<Record<string, Command>> = {
  'card': { options: [], positionals: [1, 1], run: card },
  'send': { options: ['stream', 'task', 'context', 'file'], positionals: [1, 2], run: send },
  'task get': { options: [], positionals: [2, 2], run: (terminal, positionals) => one(terminal, 'GetTask', positionals) },
  'task list': { options: ['context', 'status'], positionals: [1, 1], run: list },
  'task cancel': { options: [], positionals: [2, 2], run: (terminal, positionals) => one(terminal, 'CancelTask', positionals) },
  'task subscribe': { options: [], positionals: [2, 2], run: (terminal, [url = '', id = '']) => follow(terminal, url, 'SubscribeToTask', { id }) },
};

const resolve = ({ values, http, signal, log }: Terminal, url: string): Promise<ResolvedAgentCard> =>
  resolveAgentCard(url, { http, signal, log, headers: headersOf(values) });

async function connect(terminal: Terminal, url: string): Promise<AgentClient> {
  const { values, http } = terminal;
  // The card is on its way to something else here: only what the command is about is printed raw.
  const { card, cardUrl, agentUrl } = await resolve({ ...terminal, log: silent }, url);
  return new AgentClient({
    card, http, agentUrl, headers: headersOf(values),
    chosen: chooseInterface(card, cardUrl, { protocolVersion: values['protocol-version'] }),
    approvedOrigins: new Set(values['allow-origin']),
  });
}

const silent: WireLog = { exchange() {}, frames() {} };

function headersOf({ header }: Values): Record<string, string> {
  return Object.fromEntries((header ?? []).map(line => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new UsageError(`--header wants 'Name: value', not ${JSON.stringify(line.slice(0, 20))}.`);
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  }));
}

async function card(terminal: Terminal, [url = '']: readonly string[]): Promise<number> {
  const { card: found, cardUrl, findings } = await resolve(terminal, url);
  if (terminal.values.raw) return status.fine;
  if (terminal.values.json) print(json(found));
  else {
    print(`${found.name} ${found.version}\n${found.description}\n\nCard: ${cardUrl}`);
    for (const entry of found.supportedInterfaces) print(`Interface: ${entry.protocolBinding} ${entry.protocolVersion} ${entry.url}`);
    for (const skill of found.skills) print(`Skill: ${skill.name} – ${skill.description}`);
  }
  for (const finding of findings) tell(`${finding.rule} ${finding.pointer || '/'}: ${finding.message}`);
  return status.fine;
}

async function send(terminal: Terminal, [url = '', typed]: readonly string[]): Promise<number> {
  const { values } = terminal;
  const files = await Promise.all((values.file ?? []).map(filePart));
  const words = typed ?? (files.length === 0 ? await standardInput() : '');
  const parts: Part[] = [...(words === '' ? [] : [{ text: words }]), ...files];
  if (parts.length === 0) throw new UsageError('There is nothing to send: give a text or a file.');
  const message: Message = {
    messageId: randomUUID(), role: 'ROLE_USER', parts,
    ...(values.context !== undefined && { contextId: values.context }), ...(values.task !== undefined && { taskId: values.task }),
  };
  if (values.stream) return follow(terminal, url, 'SendStreamingMessage', { message });
  const { result } = await (await connect(terminal, url)).call('SendMessage', { message }, terminal);
  showEvent(terminal, result);
  return 'task' in result ? outcome(result.task.status.state) : status.fine;
}

const standardInput = async (): Promise<string> => (process.stdin.isTTY ? '' : (await readAll(process.stdin)).trimEnd());

const mediaTypes: Readonly<Record<string, string>> = {
  '.txt': 'text/plain', '.md': 'text/markdown', '.csv': 'text/csv', '.html': 'text/html', '.json': 'application/json', '.pdf': 'application/pdf',
  '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.gif': 'image/gif', '.webp': 'image/webp', '.svg': 'image/svg+xml',
};

async function filePart(path: string): Promise<Part> {
  try {
    const raw = (await readFile(path)).toString('base64');
    return { raw, filename: basename(path), mediaType: mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream' };
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

async function one(terminal: Terminal, operation: 'GetTask' | 'CancelTask', [url = '', id = '']: readonly string[]): Promise<number> {
  const { result } = await (await connect(terminal, url)).call(operation, { id }, terminal);
  if (terminal.values.json) print(json(result));
  else if (!terminal.values.raw) showTask(result);
  return status.fine;
}

async function list(terminal: Terminal, [url = '']: readonly string[]): Promise<number> {
  const { values } = terminal;
  const state = values.status === undefined ? undefined : readTaskState(values.status);
  if (values.status !== undefined && state === undefined) throw new UsageError(`${values.status} is no task state.`);
  const client = await connect(terminal, url);
  let pageToken: string | undefined;
  do {
    const { result } = await client.call('ListTasks', {
      ...(values.context !== undefined && { contextId: values.context }),
      ...(state !== undefined && { status: state }),
      ...(pageToken !== undefined && { pageToken }),
    }, terminal);
    for (const task of result.tasks) {
      if (values.raw) continue;
      print(values.json ? json(task) : `${task.id}  ${taskStates[task.status.state].label}  ${task.status.timestamp ?? ''}`.trimEnd());
    }
    // An agent that gives the token of this page again would be asked for ever.
    pageToken = result.nextPageToken === pageToken ? undefined : result.nextPageToken || undefined;
  } while (pageToken !== undefined);
  return status.fine;
}

/** Prints a stream as it comes; its outcome is the task's. */
async function follow<O extends StreamingOperation>(
  terminal: Terminal, url: string, operation: O, params: OperationParams[O],
): Promise<number> {
  const client = await connect(terminal, url);
  let state: TaskState | undefined;
  for await (const { events } of client.stream(operation, params, terminal)) {
    for (const event of events) {
      showEvent(terminal, event);
      if ('task' in event) state = event.task.status.state;
      if ('statusUpdate' in event) state = event.statusUpdate.status.state;
    }
  }
  if (state !== undefined && isActive(state)) {
    throw new Problem('stream-ended', sentence('The stream ended while the task was still {0}.', taskStates[state].label), {
      nextStep: sentence('Follow it with: a2a task subscribe'),
    });
  }
  return state === undefined ? status.fine : outcome(state);
}

const outcome = (state: TaskState): number => (isTerminal(state) && state !== 'TASK_STATE_COMPLETED' ? status.taskFailed : status.fine);

/** What the agent made goes to standard output, what is said about it to standard error. */
function showEvent({ values }: Terminal, event: StreamResponse): void {
  if (values.raw) return;
  if (values.json) print(json(event));
  else if ('task' in event) showTask(event.task);
  else if ('message' in event) showParts(event.message.parts, true);
  else if ('artifactUpdate' in event) showParts(event.artifactUpdate.artifact.parts, event.artifactUpdate.lastChunk === true);
  else showStatus(event.statusUpdate.taskId, event.statusUpdate.status);
}

function showTask(task: Task): void {
  for (const { parts } of task.artifacts ?? []) showParts(parts, true);
  showStatus(task.id, task.status, task.contextId);
}

function showStatus(taskId: string, { state, message }: Task['status'], contextId?: string): void {
  const words = message?.parts.map(part => ('text' in part ? part.text : described(part))).join(' ');
  const facts = [`task ${taskId}`, contextId && `context ${contextId}`, taskStates[state].label].filter(Boolean).join(', ');
  tell(words ? `${facts}: ${words}` : facts);
}

function showParts(parts: readonly Part[], last: boolean): void {
  for (const part of parts) {
    if ('text' in part) process.stdout.write(printable(part.text));
    else if ('data' in part) process.stdout.write(json(part.data));
    else tell(described(part));
  }
  if (last) process.stdout.write('\n');
}

function described(part: Part): string {
  const where = 'url' in part ? part.url : 'raw' in part ? `${Buffer.byteLength(part.raw, 'base64')} bytes` : 'data';
  return `[${[part.filename, part.mediaType, where].filter(Boolean).join(', ')}]`;
}

/** Agents' words must not steer the terminal: control characters but tab and line feed are left out, in JSON escaped. */
const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\t\n]/gu, '');
const json = (value: unknown): string => JSON.stringify(value)
  .replaceAll(/[\u007f-\u009f]/g, character => `\\u00${character.charCodeAt(0).toString(16)}`);

function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

function tell(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** Prints answers as they were on the wire: bodies when they are complete, the data of events as they come. */
const wire: WireLog = {
  exchange({ endedAt, response }: Exchange) {
    if (endedAt !== undefined && response?.body !== undefined) process.stdout.write(`${response.body}\n`);
  },
  frames(_exchangeId, frames) {
    for (const { data } of frames) process.stdout.write(`${data}\n`);
  },
};

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options, allowPositionals: true });

/** The command that the arguments name, checked. @throws UsageError */
function understand(args: readonly string[]): { command: Command; values: Values; positionals: readonly string[] } {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
  const { values, positionals: words } = parsed;
  const name = words.slice(0, words[0] === 'task' ? 2 : 1).join(' ');
  const positionals = words.slice(name.split(' ').length);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(name === '' ? 'Which command?' : `There is no command ${name}.`);
  const foreign = (Object.keys(values) as OptionName[]).find(option => !everywhere.includes(option) && !command.options.includes(option));
  if (foreign !== undefined) throw new UsageError(`--${foreign} is not for ${name}.`);
  const [fewest, most] = command.positionals;
  if (positionals.length < fewest) throw new UsageError(`${name} needs more arguments.`);
  if (positionals.length > most) throw new UsageError(`${name} takes fewer arguments; put a text of several words in quotes.`);
  return { command, values, positionals };
}

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
