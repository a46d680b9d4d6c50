import { chatHelp } from './chat/chatCommand.ts';
import { commands, commonOptionsOf, unknownCommand } from './commands.ts';
import { optionNames, options, type OptionHelp, type OptionName } from './terminal/options.ts';
import { exitStatuses, UsageError } from './terminal/usage.ts';
import { version } from './terminal/version.ts';

const placeholders: Readonly<Record<string, string>> = {
  URL: 'address of the agent or of its card, host:port, or a name from "a2a.agents" in .vscode/settings.json, here or in a parent folder',
  TEXT: 'the message; default: standard input',
  RECORDING: 'recording (NAME.a2a-recording.jsonl), as --record writes it',
  FILE: 'request file (.a2a); "a2a run" also takes folders, globs in quotes, and - for standard input',
};

const network = `Network: proxies are read from HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, further certificate authorities from
NODE_EXTRA_CA_CERTS. Addresses of this machine never use a proxy.`;

const signIns = `Sign-ins: "a2a auth login" keeps a sign-in in a file that only you can read, and every command uses it. In CI, credentials
that the card asks for are read from A2A_SECRET_CLIENT_ID and A2A_SECRET_CLIENT_SECRET, A2A_SECRET_TOKEN, A2A_SECRET_KEY, or
A2A_SECRET_USER and A2A_SECRET_PASSWORD. An authorization server at another origin needs --allow-origin, or your confirmation.`;

const secrets = `Secrets: {{$secret api-key}} is read from A2A_SECRET_API_KEY, and {{$prompt Your name}} from A2A_PROMPT_YOUR_NAME or the terminal.
A secret is sent only to the first origin it goes to, and is never printed; a terminal asks before it goes elsewhere, otherwise use
--allow-origin. {{$env NAME}} goes only to that origin and to the addresses of --agent. "a2a run" requires Node.js 22 or later.`;

/** The output of `--help`, `help` and `--version`; undefined where the arguments are a command, or `help files`. @throws UsageError */
export async function helpOutput(args: readonly string[]): Promise<string | undefined> {
  if (args[0] === 'help') return args[1] === 'files' ? undefined : helpOf(args.slice(1));
  if (args.includes('--help') || args.includes('-h')) {
    // A word before the command's name may be the value of an option.
    const at = args.findIndex(word => Object.keys(commands).some(name => name.split(' ')[0] === word));
    return helpOf(at < 0 ? args.slice(0, 1).filter(word => !word.startsWith('-')) : args.slice(at));
  }
  return args.includes('--version') || args.includes('-V') ? `${version}\n` : undefined;
}

/** Width of the help, in characters. */
const width = 120;

const exitStatusHelp = ['Exit status:', ...exitStatuses.map(([statuses, meaning]) => helpRow(statuses, meaning, 17))];

/** All commands with a line each, and how to learn more of one. */
function overview(): string {
  const rows = Object.entries(commands).map(([name, { synopsis, about }]) => helpRow(`a2a ${name} ${synopsis}`.trimEnd(), about));
  return blocksOf([
    ['Usage:', ...rows],
    [
      helpRow('a2a help COMMAND', 'show the arguments and options of a command'),
      helpRow('a2a help files', 'print the reference of request files'),
      helpRow('a2a --version', 'print the version'),
    ],
    exitStatusHelp,
  ]);
}

/** The help of one command, of those with the same first word, or of the whole program. @throws UsageError */
async function helpOf(words: readonly string[]): Promise<string> {
  const names = namesOf(words);
  if (names === undefined) return overview();
  const wanted = names.flatMap(name => commands[name] ?? []);
  const own = new Set(wanted.flatMap(({ options: taken }) => taken));
  const common = new Set(wanted.flatMap(commonOptionsOf));
  const hidden: readonly OptionName[] = [
    'help',
    'version',
    ...(names.some(name => ['run', 'compare'].includes(name)) ? (['raw'] as const) : []),
  ];
  const rows = [...own, ...optionNames.filter(name => common.has(name) && !own.has(name) && !hidden.includes(name))].map(option =>
    optionRow(option, names),
  );
  const synopses = wanted.map(({ synopsis }) => synopsis).join(' ');
  return blocksOf([
    ['Usage:', ...names.map(name => helpRow(`a2a ${name} ${commands[name]?.synopsis ?? ''}`.trimEnd(), commands[name]?.about ?? ''))],
    Object.entries(placeholders).flatMap(([word, text]) => (synopses.includes(word) ? helpRow(word, text, 6) : [])),
    names.includes('chat') ? ['Input:', chatHelp] : [],
    ['Options:', ...rows],
    names.includes('serve') ? ['Faults:', ...(await import('./runCommand.ts')).faultRows().map(row => helpRow(...row))] : [],
    names.includes('run') ? [secrets] : [],
    names.includes('compare')
      ? ['Exit status of compare: 1 if something differs, including an answer with an error; 3 if an agent cannot be reached.']
      : [],
    wanted.every(({ isOffline }) => isOffline === true) ? [] : [network, '', signIns],
    exitStatusHelp,
  ]);
}

function blocksOf(blocks: readonly (readonly string[])[]): string {
  return blocks
    .filter(lines => lines.length > 0)
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n');
}

/** The commands that the words name: one, or all with the first word, such as `task`; undefined without a word. @throws UsageError */
function namesOf([first, second]: readonly string[]): readonly string[] | undefined {
  if (first === undefined) return undefined;
  const names = Object.keys(commands);
  const exact = `${first} ${second}`;
  if (names.includes(exact)) return [exact];
  const found = names.filter(name => name === first || name.startsWith(`${first} `));
  if (found.length === 0) throw new UsageError(unknownCommand(first));
  return found;
}

function optionRow(name: OptionName, names: readonly string[]): string {
  const option: { readonly value?: string; readonly help: OptionHelp; readonly multiple?: true } = options[name];
  const help = typeof option.help === 'string' ? { default: option.help } : option.help;
  const text = help[names.find(command => Object.hasOwn(help, command)) ?? 'default'] ?? '';
  return helpRow(`--${name}${option.value === undefined ? '' : ` ${option.value}`}`, option.multiple ? `${text} (repeatable)` : text, 24);
}

/** A term and its explanation beside it, wrapped at `width`; below it where the term is wider than its column. */
function helpRow(term: string, text: string, column = 30): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width - column - 4) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  const indent = `\n${' '.repeat(column + 4)}`;
  return `  ${term.length > column ? `${term}${indent}` : `${term.padEnd(column)}  `}${lines.join(indent)}`;
}
