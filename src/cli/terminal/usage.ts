/** One line per command. */
export const synopses: readonly string[] = [
  '  a2a card URL [--extended] [--trusted-key KEY]…',
  '  a2a send URL [TEXT] [--stream | --no-wait] [--timeout TIME] [--task ID] [--context ID] [--file FILE]…',
  '  a2a chat URL [--context ID] [--task ID] [--timeout TIME]    a conversation; without a terminal, each line is a message',
  '  a2a task get URL ID',
  '  a2a task list URL [--context ID] [--status STATE]',
  '  a2a task cancel URL ID',
  '  a2a task subscribe URL ID [--timeout TIME]',
  '  a2a run FILE… [--env NAME] [--name NAME]… [--tags TAGS]… [--reporter NAME[=FILE]]… [--watch] [--bail] [--parallel N] [--repeat N]',
  '  a2a check URL [--rules RULES]… [--level must|should] [--allow-work] [--prompt WHAT=TEXT]… [--prompts FILE] [--trusted-key KEY]… [--port N] [--webhook URL] [--reporter NAME[=FILE]]… [--bail]',
  '  a2a export FILE --k6 [--env NAME] [--var NAME=TEXT]… [--agent NAME=URL]…     print a script for k6, for load from many machines',
  '  a2a import [FILE]                               print a request file for a cURL command, a JSON-RPC body or an HTTP Archive (HAR)',
  '  a2a listen [--port N] [--path PATH] [--token TOKEN] [--respond HOW]        receive push notifications',
  '  a2a auth URL [--renew]                               explain the sign-in step by step, and what is likely wrong',
  '  a2a auth login URL [--identity NAME] [--device]      sign in as the card of the agent asks, and keep that',
  '  a2a auth logout URL [--identity NAME]',
  '  a2a auth status [URL]',
  '  a2a help [COMMAND]',
  '  a2a help files                                  all that a request file can say',
  '  a2a --version',
];

export const placeholders: readonly string[] = [
  '  URL    address of the agent or of its card; host:port will do. Or a name of "a2a.agents" in .vscode/settings.json, here or above',
  '  TEXT   the message; read from standard input when left out',
  '  FILE   a request file (.a2a), a folder of them, a glob in quotes, or - for standard input',
  '  KEY    a file with public keys (PEM, JWK, JWKS), or the address of a JWKS',
  '  HOW    how notifications are answered: 500, 500:3 (three times), redirect, silent, slow, or slow:30s',
];

/** Options that are not only of `run`, one entry each. */
export const commonOptions: readonly string[] = [
  '  --stream                 print what the agent says as it comes; one that does not stream is asked until it is done',
  "  --no-wait                print the agent's first answer and leave it at work",
  '  --task ID                send the message into this task',
  '  --context ID             send the message into this context; list only its tasks',
  '  --file FILE              send this file, too (repeatable)',
  '  --status STATE           list only tasks of this state, such as working',
  `  --timeout TIME           longest time until the task is over or waits: 500ms, 30s, 2m, or milliseconds; else 60s to the agent's first
                           sign of life, and then as long as it can be reached. A task that is not over by then goes on`,
  '  --port N                 listen on this port of this machine; any free one when left out',
  `  --webhook URL            of "a2a check": an address that leads to --port, for an agent that cannot reach this machine itself`,
  '  --path PATH              path that notifications are sent to; a random one when left out',
  "  --token TOKEN            token that notifications have to bring; a random one when left out, none where it is ''",
  '  --respond HOW            rehearse what an agent then does; what is not answered with success is not applied',
  '  --extended               show the card that the agent has for you instead, with what differs from the public one',
  `  --trusted-key KEY        verify the signature of the card with this key; "a2a card" fails if no such key signed all of the card (repeatable)`,
  '  --renew                  of "a2a auth": renew the kept token, too, and say whether that works',
  '  --device                 sign in with a code on another device, where the agent has that',
  '  --identity NAME          use this of your sign-ins at the agent, or none; else the one that you used last',
  '  --rules RULES            check only these conformance rules: ids or families (CORE-12,PUSH); with ! before it, all but that (repeatable)',
  '  --level LEVEL            check only what the protocol demands (must), or also what it recommends (should)',
  '  --allow-work             also check what makes the agent work, by sending it messages and registering webhooks at it',
  `  --prompt WHAT=TEXT       what to send for a task, long-task, input-required or auth-required (repeatable); for a task else an example
                           of the card's`,
  '  --prompts FILE           take these texts from "check" of this request file; those of --prompt count more',
  `  --other-header 'NAME: VALUE'
                           credentials of a second identity, for rules about what belongs to somebody else (repeatable)`,
  `  --reporter NAME[=FILE]   of check: spec for people, json for programs (one object for each rule and interface), junit for CI, html,
                           markdown, badge (SVG); to standard output, or to a file (repeatable)`,
  '  --verbose                of check: list what passed, and why rules could not be tested',
  '  --k6                     of export: write a script for k6, in which secrets are variables of its environment',
  '  --env NAME               of export: take the variables of this environment',
  '  --var NAME=TEXT          of export: set a variable; NAME:=JSON for other values than text (repeatable)',
  '  --agent NAME=URL         of export: say where an agent is that the file names (repeatable)',
  '  --bail                   of check: end with the first MUST that is broken',
  '  --json                   print one A2A 1.0 object a line',
  '  --select POINTER         print of each object only the value at this JSON pointer, such as /task/status/state; one value a line (repeatable)',
  `  --raw                    print what the agent answered as it was on the wire, events of streams with their comments and blank lines
                           (gRPC: as JSON), header values of yours masked; in a terminal, control characters are escaped`,
  "  --header 'NAME: VALUE'   send a header with every request (repeatable); its value is masked wherever it would be printed",
  `  --interface 'WHICH'      use this interface of the card's: a binding, a version, an address, or several of them, such as 'GRPC 1.0';
                           with all three, an endpoint that has no card: 'JSONRPC 1.0 https://agent.example/rpc'`,
  '  --protocol-version V     use this version of the protocol, such as 0.3; also one that the card does not declare',
  '  --extension URI          ask for a protocol extension (repeatable)',
  `  --allow-origin ORIGIN    also send requests and headers to this origin, if the card says so; and the secrets and variables that an
                           agent of .vscode/settings.json wants, which a terminal asks about (repeatable)`,
  '  --cert FILE              show this client certificate (PEM) to the agent; with --key FILE, its private key',
  `  --key FILE               private key of --cert (PEM); a passphrase comes from the environment variable A2A_TLS_PASSPHRASE`,
  '  --pfx FILE               client certificate and key in one file (PKCS #12), instead of the two',
  '  --ca FILE                also trust these certificate authorities (PEM)',
  '  --insecure               accept any certificate of the agent; for tests only',
];

export const runOptions = `Options of run:
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

export const network = `Network: proxies come from the variables HTTPS_PROXY, HTTP_PROXY and ALL_PROXY (http:// or https://, user:password@ if wanted), in lower
case too; NO_PROXY lists hosts without one, and addresses of this machine never have one. The certificate authorities of the machine and
of the file in NODE_EXTRA_CA_CERTS are trusted.`;

export const signIns = `Sign-ins: "a2a auth login" keeps them in a file that only you can read (a2a-workbench/sign-ins.json in your folder of settings), and
every command uses them, at the addresses that they were made for alone. Without one, values come from the environment where the card of
the agent asks for them: A2A_SECRET_CLIENT_ID and A2A_SECRET_CLIENT_SECRET (client credentials), A2A_SECRET_TOKEN, A2A_SECRET_KEY,
A2A_SECRET_USER and A2A_SECRET_PASSWORD. An authorization server at another origin than the agent needs --allow-origin, or your yes.`;

export const exitStatuses = `Exit status: 0 success; 1 the task, an expectation or a conformance check failed, or a request timed out;
2 the command or a request file has an error, or a value, a sign-in or a permission is missing;
3 the agent could not be reached or answered an error; 4 the program ended before it had a result for everything;
70 a defect of the program; 74 the output could not be written; 129, 130 and 143 stopped by a signal.`;

export const usage = `Usage:
${synopses.join('\n')}

${placeholders.join('\n')}

Options:
${commonOptions.join('\n')}

${runOptions}

${network}

${signIns}

${exitStatuses}
`;

/** Exit statuses, explained in the usage. */
export const exitStatus = { fine: 0, taskFailed: 1, usage: 2, agent: 3, incomplete: 4, defect: 70, output: 74 } as const;

/** Points to the usage; errors do not print it. */
export const seeHelp = (command?: string): string =>
  `See: a2a ${command !== undefined && /^(card|check|send|chat|task|run|export|import|listen|auth)$/.test(command) ? `${command} ` : ''}--help`;

/** An invalid command line; the message says why. */
export class UsageError extends Error {}

/** The command line is valid, but a file that it names is not; the message says why. */
export class FileError extends Error {}

/** What was to be kept in a file could not be written there. */
export class WriteError extends FileError {}
