import { closestMatch } from '../protocol/closestMatch.ts';
import {
  commonOptionNames,
  optionNames,
  outputOptionNames,
  parse,
  printingOptionNames,
  type OptionName,
  type Values,
} from './terminal/options.ts';
import { UsageError } from './terminal/usage.ts';

interface Command {
  /** Its arguments, for the help. */
  readonly synopsis: string;
  /** Description for the help, in one line. */
  readonly about: string;
  /** Options besides those that every command takes. */
  readonly options: readonly OptionName[];
  /** The command sends no requests, so it has no options for them. */
  readonly isOffline?: true;
  /** Its standard output is a protocol, without `--json`, `--raw` and `--select`. */
  readonly serves?: true;
  /** The first argument is an agent: an address, or a name in the settings. */
  readonly isOfAgent?: true;
  /** The command uses all interfaces, so the interface of the settings does not apply. */
  readonly usesAllInterfaces?: true;
  /** Minimum and maximum number of positional arguments after the command's name. */
  readonly positionals: readonly [number, number];
}

const rows = {
  card: {
    about: 'show the agent card, its interfaces and its signature',
    synopsis: 'URL',
    isOfAgent: true,
    options: ['extended', 'trusted-key'],
    positionals: [1, 1],
  },
  send: {
    about: 'send a message and wait for the answer',
    synopsis: 'URL [TEXT]',
    isOfAgent: true,
    options: ['stream', 'no-wait', 'timeout', 'task', 'context', 'file', 'record', 'replace'],
    positionals: [1, 2],
  },
  chat: {
    about: 'have a conversation; without a terminal, each line of input is a message',
    synopsis: 'URL',
    isOfAgent: true,
    options: ['context', 'task', 'timeout', 'record', 'replace'],
    positionals: [1, 1],
  },
  'task get': {
    about: 'show a task',
    synopsis: 'URL ID',
    isOfAgent: true,
    options: [],
    positionals: [2, 2],
  },
  'task list': {
    about: 'list tasks, newest first',
    synopsis: 'URL',
    isOfAgent: true,
    options: ['context', 'status'],
    positionals: [1, 1],
  },
  'task cancel': {
    about: 'cancel a task',
    synopsis: 'URL ID',
    isOfAgent: true,
    options: [],
    positionals: [2, 2],
  },
  'task subscribe': {
    about: 'follow a running task',
    synopsis: 'URL ID',
    isOfAgent: true,
    options: ['timeout'],
    positionals: [2, 2],
  },
  run: {
    about: 'send the requests of files and check what they expect',
    synopsis: 'FILE…',
    options: [
      'env',
      'name',
      'tags',
      'allow-only',
      'reporter',
      'verbose',
      'output',
      'record',
      'replace',
      'update-snapshots',
      'watch',
      'bail',
      'parallel',
      'repeat',
      'var',
      'agent',
      'timeout',
      'no-wait',
      'yes',
    ],
    positionals: [1, Infinity],
  },
  check: {
    about: 'check conformance with the A2A specification',
    synopsis: 'URL',
    isOfAgent: true,
    usesAllInterfaces: true,
    options: [
      'rules',
      'level',
      'allow-work',
      'resume',
      'prompt',
      'prompts',
      'other-header',
      'trusted-key',
      'reporter',
      'verbose',
      'bail',
      'port',
      'webhook',
    ],
    positionals: [1, 1],
  },
  export: {
    about: 'write a k6 script for a load test',
    synopsis: 'FILE --k6',
    options: ['k6', 'env', 'var', 'agent'],
    positionals: [1, 1],
  },
  import: {
    about: 'write a request file for a cURL command, a JSON-RPC body or an HTTP Archive (HAR)',
    synopsis: '[FILE]',
    isOffline: true,
    options: [],
    positionals: [0, 1],
  },
  listen: {
    about: 'receive push notifications',
    synopsis: '',
    isOffline: true,
    options: ['port', 'path', 'token', 'respond'],
    positionals: [0, 0],
  },
  serve: {
    about: 'play a recording as an agent on this machine',
    synopsis: 'RECORDING',
    options: ['port', 'binding', 'speed', 'loose', 'fill', 'replace', 'fault'],
    positionals: [1, 1],
  },
  compare: {
    about: 'run the conversations of a recording with agents and compare the answers',
    synopsis: 'RECORDING',
    options: ['agent', 'times', 'timeout'],
    positionals: [1, 1],
  },
  mcp: {
    about: 'serve tools for coding assistants over the Model Context Protocol (MCP)',
    synopsis: '',
    serves: true,
    options: ['agent', 'allow-send', 'history', 'var'],
    positionals: [0, 0],
  },
  auth: {
    about: 'explain the sign-in step by step, with likely causes of a problem',
    synopsis: 'URL',
    isOfAgent: true,
    options: ['renew'],
    positionals: [1, 1],
  },
  'auth login': {
    about: 'sign in as the agent card asks',
    synopsis: 'URL',
    isOfAgent: true,
    options: ['device'],
    positionals: [1, 1],
  },
  'auth logout': {
    about: 'sign out',
    synopsis: 'URL',
    isOfAgent: true,
    options: [],
    positionals: [1, 1],
  },
  'auth status': {
    about: 'list sign-ins',
    synopsis: '[URL]',
    isOfAgent: true,
    options: [],
    positionals: [0, 1],
  },
} satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof rows;

/**
 * To add one: a row here (`isOfAgent` where names of the settings do), and its function in `runCommand.ts`; its options are rows of
 * `terminal/options.ts`.
 */
export const commands: Readonly<Record<string, Command>> = rows;

export const commonOptionsOf = ({ isOffline, serves }: Command): readonly OptionName[] => {
  if (serves === true) return commonOptionNames.filter(name => !printingOptionNames.includes(name));
  return isOffline === true ? outputOptionNames : commonOptionNames;
};

const authWords = ['login', 'logout', 'status'];

/** The error for a command that does not exist. @param name its words */
export function unknownCommand(name: string): string {
  const like = closestMatch(name, [...Object.keys(commands), ...Object.keys(commands).map(each => each.split(' ')[0]!)]);
  return `Unknown command ${name.slice(0, 60)}.${like === undefined ? '' : ` Did you mean a2a ${like}?`}`;
}

/** The error for an unknown option or one without its value; undefined for any other mistake. */
function wrongOption(cause: unknown): string | undefined {
  const { code, message } = cause as NodeJS.ErrnoException;
  const lacking = code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' ? /(--[\w-]+) <value>' argument missing/.exec(message)?.[1] : undefined;
  if (lacking !== undefined) return `${lacking} needs a value.`;
  const written = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-[^']+)'/.exec(message)?.[1] : undefined;
  if (written === undefined) return undefined;
  const like = closestMatch(written.replace(/^-+/, ''), optionNames);
  return `Unknown option ${written.slice(0, 60)}.${like === undefined ? '' : ` Did you mean --${like}?`}`;
}

/** A command that was called, with its options and arguments. */
export interface ParsedCommand {
  readonly name: CommandName;
  readonly command: Command;
  readonly values: Values;
  readonly positionals: readonly string[];
}

/** Parses and checks the command line. @throws UsageError */
export function parseCommand(args: readonly string[]): ParsedCommand {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (cause) {
    throw new UsageError(wrongOption(cause) ?? (cause as Error).message, { cause });
  }
  const { values, positionals: words } = parsed;
  const isOfTwoWords = words[0] === 'task' || (words[0] === 'auth' && authWords.includes(words[1] ?? ''));
  const name = words.slice(0, isOfTwoWords ? 2 : 1).join(' ');
  const positionals = words.slice(name.split(' ').length);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(name === '' ? 'Which command?' : unknownCommand(name));
  const foreign = (Object.keys(values) as OptionName[]).find(
    option => !commonOptionsOf(command).includes(option) && !command.options.includes(option),
  );
  if (foreign !== undefined) throw new UsageError(`--${foreign} is not for ${name}.`);
  if (values.json === true && values.raw === true)
    throw new UsageError('--json and --raw exclude each other: --json prints A2A 1.0 objects, --raw what was on the wire.');
  const [fewest, most] = command.positionals;
  const called = `a2a ${name} ${command.synopsis.replace(/ (?:\[-|--).*$/, '')}`;
  if (positionals.length < fewest) throw new UsageError(`${name} needs more arguments: ${called}`);
  if (name === 'auth' && positionals.length > most) throw new UsageError(unknownCommand(`auth ${positionals[0]}`));
  if (positionals.length > most) throw new UsageError(`${name} takes fewer arguments; put a text of several words in quotes.`);
  if (name.startsWith('task ') && positionals[1] === '') throw new UsageError(`${name} needs the id of a task: ${called}`);
  return { name: name as CommandName, command, values, positionals };
}
