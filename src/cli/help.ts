import { chatHelp } from './chat/chatCommand.ts';
import { commands, commonOptionsOf, unknownCommand } from './commands.ts';
import { manual } from './manual.ts';
import { optionNames, options, type OptionName } from './terminal/options.ts';
import { exitStatuses, UsageError } from './terminal/usage.ts';

/** The version in package.json, which is not there beside a bundled program. */
export const version = '0.1.0';

const placeholders: Readonly<Record<string, string>> = {
  URL: 'address of the agent or of its card; host:port will do. Or a name of "a2a.agents" in .vscode/settings.json, here or above',
  TEXT: 'the message; read from standard input when left out',
  FILE: 'a request file (.a2a), a folder of them, a glob in quotes, or - for standard input',
  KEY: 'a file with public keys (PEM, JWK, JWKS), or the address of a JWKS',
  HOW: 'how notifications are answered: 500, 500:3 (three times), redirect, silent, slow, or slow:30s',
};

/** Usage that is about no command. */
const helpSynopses = ['a2a help [COMMAND]', withAbout('a2a help files', 'all that a request file can say'), 'a2a --version'];

const runOptions = `Options of run:
  --env NAME               take the variables of this environment (a2a.env.json, a2a.private.env.json)
  --name NAME              send only requests of this name, and what they need; * stands for any letters (repeatable)
  --tags TAGS              send only requests with one of these tags (smoke,slow), and what they need; !slow means without it; given
                           several times, all must hold
  --allow-only             take files whose requests say "only" in CI, too (where the environment variable CI is set)
  --reporter NAME[=FILE]   spec for people, junit for CI, json for programs, github for annotations of GitHub Actions, latency for
                           percentiles; to standard output, or to a file (repeatable: one to standard output, the others to files)
  --verbose                print the answers and exchanges of all requests; else those of what failed
  --output FOLDER          write the text, the artifacts and the exchanges of each request to this folder; secrets are masked
  --watch                  run again when a file that was read changes; Ctrl+C ends it
  --bail                   send nothing more once something failed
  --repeat N               send each request so many times, each time on its own
  --parallel N             send so many requests at a time; those that need others wait for them
  --timeout TIME           longest time for requests whose file sets none (timeoutMs): 500ms, 30s, 2m, or milliseconds; else 60s to the
                           agent's first sign of life, and then as long as it can be reached
  --no-wait                return at once from messages; tasks are followed only where an expectation or a later request needs it
  --var NAME=TEXT          set a variable; NAME:=JSON for other values than text (repeatable)
  --agent NAME=URL         say where an agent is that files name; else .vscode/settings.json does (repeatable)
  --agent URL              send requests there that name no agent; a name will do, too
  --header 'NAME: VALUE'   send a header to the agents of the command line and of the settings, and to an origin that only a file
                           names, if the requests go to no other; else give its name or address, as below, or --allow-origin.
                           An agent whose address comes from an answer takes none
  --header 'AGENT: NAME: VALUE'
                           send a header to one agent alone, by its name or its address
  --allow-origin ORIGIN    also send headers and secrets to this origin: to an address that only a file names or that comes from an
                           answer, or with a secret that was sent elsewhere first
  --cert, --key, --pfx, --insecure
                           for the same agents as --header, in the place of what the settings say of TLS; --ca for all agents
  --yes                    send what asks for confirmation, and in an environment that is marked as production
  Secrets come from the environment: {{$secret api-key}} is A2A_SECRET_API_KEY. {{$prompt Your name}} asks in a terminal, unless
  A2A_PROMPT_YOUR_NAME answers it. Letters that are not of ASCII are told apart by a hash in these names: a run without the
  variable says what it is called. Each secret goes to the origin alone that it is first sent to, and is printed nowhere; what answers a
  prompt that mentions a password, secret, token, key or credential is one, too, and so is {{$env NAME}} where the name says it. Any other
  {{$env NAME}} goes to that origin alone as well, and to the addresses of --agent. A terminal asks before one goes elsewhere; otherwise
  --allow-origin names where. run needs Node.js 22 or later.`;

const network = `Network: proxies come from the variables HTTPS_PROXY, HTTP_PROXY and ALL_PROXY (http:// or https://, user:password@ if wanted), in lower
case too; NO_PROXY lists hosts without one, and addresses of this machine never have one. The certificate authorities of the machine and
of the file in NODE_EXTRA_CA_CERTS are trusted.`;

const signIns = `Sign-ins: "a2a auth login" keeps them in a file that only you can read (a2a-workbench/sign-ins.json in your folder of settings), and
every command uses them, at the addresses that they were made for alone. Without one, values come from the environment where the card of
the agent asks for them: A2A_SECRET_CLIENT_ID and A2A_SECRET_CLIENT_SECRET (client credentials), A2A_SECRET_TOKEN, A2A_SECRET_KEY,
A2A_SECRET_USER and A2A_SECRET_PASSWORD. An authorization server at another origin than the agent needs --allow-origin, or your yes.`;

/** Options that `run` does not take, or that its own help describes. */
const ofRunItself: readonly OptionName[] = ['raw', 'header', 'allow-origin', 'cert', 'key', 'pfx', 'ca', 'insecure'];

/** The output of `--help`, `help` and `--version`; undefined where the arguments are a command. @throws UsageError */
export function helpOutput(args: readonly string[]): string | undefined {
  if (args[0] === 'help') return args[1] === 'files' ? manual() : helpOf(args.slice(1));
  if (args.includes('--help') || args.includes('-h')) {
    // A word before the command's name may be the value of an option.
    const at = args.findIndex(word => Object.keys(commands).some(name => name.split(' ')[0] === word));
    return helpOf(at < 0 ? args.slice(0, 1).filter(word => !word.startsWith('-')) : args.slice(at));
  }
  return args.includes('--version') || args.includes('-V') ? `${version}\n` : undefined;
}

/** The help of one command, or of the whole program. @param words the command, possibly followed by others. @throws UsageError */
function helpOf(words: readonly string[]): string {
  const names = namesOf(words);
  const isWhole = words.length === 0;
  const isOfRun = names.includes('run');
  const wanted = names.flatMap(name => commands[name] ?? []);
  const synopses = wanted.map(({ synopsis }) => synopsis).join('\n');
  const known = isWhole || !isOfRun ? optionNames : optionNames.filter(name => !ofRunItself.includes(name));
  const taken = new Set(wanted.flatMap(one => [...commonOptionsOf(one), ...(isOfRun && !isWhole ? [] : one.options)]));
  const blocks = [
    ['Usage:', ...names.map(synopsisLine), ...(isWhole ? helpSynopses.map(line => `  ${line}`) : [])],
    Object.entries(placeholders).flatMap(([word, text]) => (synopses.includes(word) ? `  ${word.padEnd(6)} ${text}` : [])),
    names.length === 1 && names[0] === 'chat' ? ['What can be typed:', chatHelp] : [],
    ['Options:', ...known.filter(name => taken.has(name)).flatMap(optionLines)],
    isOfRun ? [runOptions] : [],
    wanted.every(one => one.isOffline === true) ? [] : [network, '', signIns],
    ['Exit status:', ...exitStatuses.map(([statuses, meaning]) => `  ${statuses.padEnd(17)} ${meaning}`)],
  ];
  return blocks
    .filter(lines => lines.length > 0)
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n');
}

/** The commands that the words name; all of them where there are none, and those of a first word such as `task`. @throws UsageError */
function namesOf([first, second]: readonly string[]): readonly string[] {
  const names = Object.keys(commands);
  if (first === undefined) return names;
  const exact = `${first} ${second}`;
  if (names.includes(exact)) return [exact];
  const found = names.filter(name => name === first || name.startsWith(`${first} `));
  if (found.length === 0) throw new UsageError(unknownCommand(first));
  return found;
}

function synopsisLine(name: string): string {
  const { synopsis = '', about } = commands[name] ?? {};
  return `  ${withAbout(`a2a ${name} ${synopsis}`, about)}`;
}

function withAbout(usage: string, about?: string): string {
  return about === undefined ? usage : `${usage.padEnd(48)}  ${about}`;
}

/** The entry of an option: its name and value, and beside them the explanation. */
function optionLines(name: OptionName): readonly string[] {
  const { value, help }: { readonly value?: string | undefined; readonly help?: string | undefined } = options[name];
  if (help === undefined) return [];
  const head = `  --${name}${value === undefined ? '' : ` ${value}`}`;
  const text = help.replaceAll('\n', `\n${' '.repeat(27)}`);
  return head.length > 25 ? [head, `${' '.repeat(27)}${text}`] : [`${head.padEnd(27)}${text}`];
}
