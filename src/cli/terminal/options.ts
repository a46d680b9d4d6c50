import { parseArgs } from 'node:util';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** Text of an option in the help; by command where its meaning differs, `default` for the others. */
export type OptionHelp = string | Readonly<Record<string, string>>;

const flag = (help: OptionHelp) => ({ type: 'boolean', help }) as const;

/** An option with a value, of which the last counts. @param value its name in the help */
const text = (value: string, help: OptionHelp) => ({ type: 'string', value, help }) as const;

/** An option that may be repeated, each time with a value. */
const list = (value: string, help: OptionHelp) => ({ type: 'string', multiple: true, value, help }) as const;

const timeLimit = `500ms, 30s, 2m, or milliseconds. Default: 60 seconds to the agent's first sign of life, then as long as it can be reached`;

/** All options by name, in the order of the help. */
export const options = {
  stream: flag('print the answer as it arrives; a task without a stream is polled'),
  'no-wait': flag({
    default: "print the agent's first answer and leave the task running",
    run: 'do not wait for tasks, unless an expectation or a later request needs it',
  }),
  task: text('ID', 'send the message to this task'),
  context: text('ID', {
    default: 'send in this context',
    'task list': 'list only tasks of this context',
  }),
  file: list('FILE', 'attach this file'),
  status: text('STATE', 'list only tasks in this state, such as working'),
  env: text('NAME', 'use the variables of this environment (a2a.env.json, a2a.private.env.json)'),
  name: list('NAME', 'send only requests with this name, and those they need; * matches any characters'),
  tags: list(
    'TAGS',
    'send only requests with one of these tags (smoke,slow), and those they need; !slow excludes a tag; if repeated, requests must match every one',
  ),
  'allow-only': flag('allow "only" in CI (where the environment variable CI is set)'),
  var: list('NAME=TEXT', 'set a variable; NAME:=JSON for values other than text'),
  agent: list('NAME=URL', {
    run: 'address of an agent that files name; without NAME=, the agent for requests that name none',
    export: 'address of an agent that the file names',
    compare: 'name and address of an agent to compare: with the others, or one alone with the recording',
    mcp: 'name and address of an agent, besides those of .vscode/settings.json here or in a parent folder',
  }),
  'allow-send': list(
    'AGENT',
    'let tools send to this agent, cancel its tasks, check it, and run request files at it; default: they only read',
  ),
  history: text('FILE', "also read the conversations in VS Code's history (history.db); it is never written"),
  timeout: text('TIME', {
    default: `longest wait until the task ends or needs input: ${timeLimit}. The task is not canceled`,
    run: `time limit of requests whose file sets no timeoutMs: ${timeLimit}`,
  }),
  rules: list('RULES', 'check only these rules: ids or families (CORE-12,PUSH); !PUSH excludes a family'),
  level: text('LEVEL', 'check only what is required (must), or also what is recommended (should)'),
  'allow-work': flag('also run checks that start tasks: they send messages and register webhooks'),
  resume: flag(
    'also cut streams after each of their first events and resume them, and send a message twice; needs --allow-work. 1 where something is lost or a task never ends',
  ),
  prompt: list(
    'WHAT=TEXT',
    'message for a task, long-task, input-required or auth-required; for a task, the default is an example prompt of the card',
  ),
  prompts: text('FILE', 'read these messages from "check" in this request file; --prompt overrides them'),
  'other-header': list("'NAME: VALUE'", 'credentials of a second identity, for rules about other callers'),
  extended: flag('show the extended card, and what differs from the public one'),
  'trusted-key': list(
    'KEY',
    'file with public keys (PEM, JWK, JWKS), or address of a JWKS, to verify the card signature; "a2a card" fails unless one signed the whole card',
  ),
  reporter: list('NAME[=FILE]', {
    run: 'spec for people, junit for CI, json for programs, github for annotations of GitHub Actions, latency for percentiles; to standard output, or to a file',
    check:
      'spec for people, json for programs (one object for each rule and interface), junit for CI, html, markdown, badge (SVG); to standard output, or to a file',
  }),
  verbose: flag({
    run: 'print the answers and exchanges of all requests, not only of failed ones',
    check: 'list rules that passed, and why rules could not be tested',
  }),
  output: text('FOLDER', 'write the text, the artifacts and the exchanges of each request to this folder, with secrets masked'),
  record: text('FILE', 'write what is sent and received to this recording (NAME.a2a-recording.jsonl), with secrets masked'),
  replace: list('TEXT=WITH', 'replace this text in the recording; /PATTERN/=WITH for a regular expression'),
  'update-snapshots': flag('replace the snapshots of answers that differ, and remove those that no request has'),
  watch: flag('run again when a file changes; Ctrl+C ends it'),
  bail: flag({ run: 'stop after the first failure', check: 'stop at the first broken MUST' }),
  repeat: text('N', 'send each request this many times'),
  times: text('N', 'run each conversation N times with each agent, and print how many runs were equal'),
  parallel: text('N', 'send this many requests at a time; requests that need others wait for them'),
  yes: flag('answer yes to confirmations, including requests in a production environment'),
  k6: flag('write a script for k6; secrets are read from its environment'),
  port: text('N', 'port to listen on; default: any free one'),
  webhook: text('URL', 'public address that forwards to --port, for an agent that cannot reach this machine'),
  binding: text('NAME', 'serve this binding, JSONRPC, HTTP+JSON or GRPC; default: the recorded one'),
  speed: text('N', 'play N times as fast as recorded, 0 without a pause; default: 1'),
  loose: flag('answer a message that was not recorded as the most similar one was'),
  fill: text('URL', 'send what is in no recording to this agent, an address or a name, and add its answer to the file'),
  fault: list('NAME[=VALUE]', 'misbehave in this way, listed below'),
  path: text('PATH', 'path of the receiver; default: a random one'),
  token: text('TOKEN', "token that notifications must carry; default: a random one; '' for none"),
  respond: text('HOW', 'simulate a failure: 500, 500:3 (three times), redirect, silent, slow, or slow:30s'),
  renew: flag('also renew the access token, and show whether that works'),
  device: flag('sign in with a code on another device, if the authorization server supports it'),
  json: flag('print one A2A 1.0 object per line'),
  select: list('POINTER', 'print only the value at this JSON pointer of each object, such as /task/status/state'),
  raw: flag(
    'print bodies and events as the agent sent them (gRPC: as JSON), with your header values masked; in a terminal, control characters are escaped',
  ),
  header: list("'NAME: VALUE'", {
    default: 'send this header with every request; its value is masked in output',
    run: `send this header to the agents of the command line and of the settings; 'AGENT: NAME: VALUE' sends it to one agent, by name or address`,
    mcp: `send this header to every agent; 'AGENT: NAME: VALUE' sends it to one, by name or address; its value is masked in output`,
  }),
  interface: text(
    "'WHICH'",
    `use this interface: a binding, a version, an address, or several of them, such as 'GRPC 1.0'; with all three, the agent needs no card: 'JSONRPC 1.0 https://agent.example/rpc'`,
  ),
  'protocol-version': text('V', {
    default: 'use this protocol version, such as 0.3, even if the card does not declare it',
    serve: 'serve this protocol version, such as 0.3; default: the recorded one',
  }),
  extension: list('URI', 'request this protocol extension'),
  'allow-origin': list('ORIGIN', {
    default: 'also send requests, headers and secrets to this origin if the card or .vscode/settings.json says so; a terminal asks',
    run: 'also send headers and secrets to this origin if only a file or an answer names it; a terminal asks',
  }),
  cert: text('FILE', 'client certificate (PEM); with --key FILE, its private key'),
  key: text('FILE', 'private key of --cert (PEM); its passphrase is read from A2A_TLS_PASSPHRASE'),
  pfx: text('FILE', 'client certificate and key in one file (PKCS #12)'),
  ca: text('FILE', 'also trust these certificate authorities (PEM)'),
  insecure: flag('accept any certificate of the agent; for tests only'),
  identity: text('NAME', 'use this sign-in at the agent, or none; default: the one used last'),
  help: { ...flag('show the help of a command'), short: 'h' },
  version: { ...flag('show the version'), short: 'V' },
} as const;

export type Values = ReturnType<typeof parse>['values'] & {
  /** The interface that the settings of the agent want; `--interface` comes first. A binding in it is no address, whatever it says. */
  readonly settingsInterface?: InterfaceSelector | undefined;
};
export type OptionName = keyof typeof options;

/** Options for what commands print. */
export const printingOptionNames: readonly OptionName[] = ['json', 'select', 'raw'];

/** Options of every command that prints. */
export const outputOptionNames: readonly OptionName[] = [...printingOptionNames, 'protocol-version', 'help', 'version'];

/** Options of requests to an agent. */
export const requestOptionNames = [
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
] as const satisfies readonly OptionName[];

/** Options of every command that prints and sends requests to an agent. */
export const commonOptionNames: readonly OptionName[] = [...outputOptionNames, ...requestOptionNames];

export const optionNames = Object.keys(options) as readonly OptionName[];

export const parse = (args: readonly string[]) => parseArgs({ args: [...args], options, allowPositionals: true });
