import { parseArgs } from 'node:util';

export const options = {
  json: { type: 'boolean' },
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
  reporter: { type: 'string' },
  bail: { type: 'boolean' },
  parallel: { type: 'string' },
  var: { type: 'string', multiple: true },
  agent: { type: 'string', multiple: true },
  timeout: { type: 'string' },
  yes: { type: 'boolean' },
  port: { type: 'string' },
  path: { type: 'string' },
  token: { type: 'string' },
  respond: { type: 'string' },
  'trusted-key': { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

export type Values = ReturnType<typeof parse>['values'];
export type OptionName = keyof typeof options;

/** Options that every command takes. */
export const commonOptionNames: readonly OptionName[] = [
  'json',
  'raw',
  'header',
  'interface',
  'protocol-version',
  'extension',
  'allow-origin',
  'cert',
  'key',
  'pfx',
  'ca',
  'insecure',
  'help',
  'version',
];

export const parse = (args: readonly string[]) => parseArgs({ args: [...args], options, allowPositionals: true });
