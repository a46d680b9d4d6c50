import { parseArgs } from 'node:util';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** An option without a value. @param help its text in the help; absent where `a2a run` alone takes the option, whose help describes it */
const flag = (help?: string) => ({ type: 'boolean', help }) as const;

/** An option with a value, of which the last counts. @param value its name in the help */
const text = (value?: string, help?: string) => ({ type: 'string', value, help }) as const;

/** An option that may be repeated, each time with a value. */
const list = (value?: string, help?: string) => ({ type: 'string', multiple: true, value, help }) as const;

/** All options by name, in the order of the help. */
export const options = {
  stream: flag('print what the agent says as it comes; one that does not stream is asked until it is done'),
  'no-wait': flag("print the agent's first answer and leave it at work"),
  task: text('ID', 'send the message into this task'),
  context: text('ID', 'send the message into this context; list only its tasks'),
  file: list('FILE', 'send this file, too (repeatable)'),
  status: text('STATE', 'list only tasks of this state, such as working'),
  timeout: text(
    'TIME',
    `longest time until the task is over or waits: 500ms, 30s, 2m, or milliseconds; else 60s to the agent's first
sign of life, and then as long as it can be reached. A task that is not over by then goes on`,
  ),
  port: text('N', 'listen on this port of this machine; any free one when left out'),
  webhook: text('URL', 'of "a2a check": an address that leads to --port, for an agent that cannot reach this machine itself'),
  path: text('PATH', 'path that notifications are sent to; a random one when left out'),
  token: text('TOKEN', "token that notifications have to bring; a random one when left out, none where it is ''"),
  respond: text('HOW', 'rehearse what an agent then does; what is not answered with success is not applied'),
  extended: flag('show the card that the agent has for you instead, with what differs from the public one'),
  'trusted-key': list(
    'KEY',
    'verify the signature of the card with this key; "a2a card" fails if no such key signed all of the card (repeatable)',
  ),
  renew: flag('of "a2a auth": renew the kept token, too, and say whether that works'),
  device: flag('sign in with a code on another device, where the agent has that'),
  identity: text('NAME', 'use this of your sign-ins at the agent, or none; else the one that you used last'),
  rules: list('RULES', 'check only these conformance rules: ids or families (CORE-12,PUSH); with ! before it, all but that (repeatable)'),
  level: text('LEVEL', 'check only what the protocol demands (must), or also what it recommends (should)'),
  'allow-work': flag('also check what makes the agent work, by sending it messages and registering webhooks at it'),
  prompt: list(
    'WHAT=TEXT',
    `what to send for a task, long-task, input-required or auth-required (repeatable); for a task else an example
of the card's`,
  ),
  prompts: text('FILE', 'take these texts from "check" of this request file; those of --prompt count more'),
  'other-header': list("'NAME: VALUE'", 'credentials of a second identity, for rules about what belongs to somebody else (repeatable)'),
  reporter: list(
    'NAME[=FILE]',
    `of check: spec for people, json for programs (one object for each rule and interface), junit for CI, html,
markdown, badge (SVG); to standard output, or to a file (repeatable)`,
  ),
  verbose: flag('of check: list what passed, and why rules could not be tested'),
  k6: flag('of export: write a script for k6, in which secrets are variables of its environment'),
  env: text('NAME', 'of export: take the variables of this environment'),
  var: list('NAME=TEXT', 'of export: set a variable; NAME:=JSON for other values than text (repeatable)'),
  agent: list('NAME=URL', 'of export: say where an agent is that the file names (repeatable)'),
  bail: flag('of check: end with the first MUST that is broken'),
  json: flag('print one A2A 1.0 object a line'),
  select: list(
    'POINTER',
    'print of each object only the value at this JSON pointer, such as /task/status/state; one value a line (repeatable)',
  ),
  raw: flag(`print what the agent answered as it was on the wire, events of streams with their comments and blank lines
(gRPC: as JSON), header values of yours masked; in a terminal, control characters are escaped`),
  header: list("'NAME: VALUE'", 'send a header with every request (repeatable); its value is masked wherever it would be printed'),
  interface: text(
    "'WHICH'",
    `use this interface of the card's: a binding, a version, an address, or several of them, such as 'GRPC 1.0';
with all three, an endpoint that has no card: 'JSONRPC 1.0 https://agent.example/rpc'`,
  ),
  'protocol-version': text('V', 'use this version of the protocol, such as 0.3; also one that the card does not declare'),
  extension: list('URI', 'ask for a protocol extension (repeatable)'),
  'allow-origin': list(
    'ORIGIN',
    `also send requests and headers to this origin, if the card says so; and the secrets and variables that an
agent of .vscode/settings.json wants, which a terminal asks about (repeatable)`,
  ),
  cert: text('FILE', 'show this client certificate (PEM) to the agent; with --key FILE, its private key'),
  key: text('FILE', 'private key of --cert (PEM); a passphrase comes from the environment variable A2A_TLS_PASSPHRASE'),
  pfx: text('FILE', 'client certificate and key in one file (PKCS #12), instead of the two'),
  ca: text('FILE', 'also trust these certificate authorities (PEM)'),
  insecure: flag('accept any certificate of the agent; for tests only'),
  name: list(),
  output: text(),
  watch: flag(),
  tags: list(),
  'allow-only': flag(),
  repeat: text(),
  parallel: text(),
  yes: flag(),
  help: { ...flag(), short: 'h' },
  version: { ...flag(), short: 'V' },
} as const;

export type Values = ReturnType<typeof parse>['values'] & {
  /** The interface that the settings of the agent want; `--interface` comes first. A binding in it is no address, whatever it says. */
  readonly settingsInterface?: InterfaceSelector | undefined;
};
export type OptionName = keyof typeof options;

/** Options of every command. */
export const outputOptionNames: readonly OptionName[] = ['json', 'select', 'raw', 'protocol-version', 'help', 'version'];

/** Options of every command that sends requests to an agent. */
export const commonOptionNames: readonly OptionName[] = [
  ...outputOptionNames,
  'header',
  'interface',
  'extension',
  'allow-origin',
  'cert',
  'key',
  'pfx',
  'ca',
  'insecure',
  'identity',
];

export const optionNames = Object.keys(options) as readonly OptionName[];

export const parse = (args: readonly string[]) => parseArgs({ args: [...args], options, allowPositionals: true });
