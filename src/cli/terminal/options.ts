import { parseArgs } from 'node:util';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

export const options = {
  json: { type: 'boolean' },
  select: { type: 'string', multiple: true },
  raw: { type: 'boolean' },
  header: { type: 'string', multiple: true },
  interface: { type: 'string' },
  'protocol-version': { type: 'string' },
  extension: { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  cert: { type: 'string' },
  key: { type: 'string' },
  pfx: { type: 'string' },
  ca: { type: 'string' },
  insecure: { type: 'boolean' },
  stream: { type: 'boolean' },
  'no-wait': { type: 'boolean' },
  task: { type: 'string' },
  context: { type: 'string' },
  status: { type: 'string' },
  file: { type: 'string', multiple: true },
  env: { type: 'string' },
  name: { type: 'string', multiple: true },
  reporter: { type: 'string', multiple: true },
  verbose: { type: 'boolean' },
  output: { type: 'string' },
  watch: { type: 'boolean' },
  tags: { type: 'string', multiple: true },
  'allow-only': { type: 'boolean' },
  repeat: { type: 'string' },
  bail: { type: 'boolean' },
  parallel: { type: 'string' },
  var: { type: 'string', multiple: true },
  agent: { type: 'string', multiple: true },
  timeout: { type: 'string' },
  yes: { type: 'boolean' },
  k6: { type: 'boolean' },
  port: { type: 'string' },
  webhook: { type: 'string' },
  path: { type: 'string' },
  token: { type: 'string' },
  respond: { type: 'string' },
  identity: { type: 'string' },
  device: { type: 'boolean' },
  renew: { type: 'boolean' },
  extended: { type: 'boolean' },
  rules: { type: 'string', multiple: true },
  level: { type: 'string' },
  'allow-work': { type: 'boolean' },
  prompt: { type: 'string', multiple: true },
  prompts: { type: 'string' },
  'other-header': { type: 'string', multiple: true },
  'trusted-key': { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

export type Values = ReturnType<typeof parse>['values'] & {
  /** The interface that the settings of the agent want; `--interface` comes first. A binding in it is no address, whatever it says. */
  readonly settingsInterface?: InterfaceSelector | undefined;
};
export type OptionName = keyof typeof options;

/** Options that every command takes. */
export const outputOptionNames: readonly OptionName[] = ['json', 'select', 'raw', 'protocol-version', 'help', 'version'];

/** Options that every command takes that asks an agent. */
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

export const optionNames: readonly string[] = Object.keys(options);

export const parse = (args: readonly string[]) => parseArgs({ args: [...args], options, allowPositionals: true });
