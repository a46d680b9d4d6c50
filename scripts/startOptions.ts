import { parseArgs } from 'node:util';
import { Failure } from './failure.ts';

export const startUsage = `npm start -- [--server] [--port N]

Builds the product, starts the sample agents and opens VS Code with the extension on the example workspace. Ctrl+C ends all of it.

  --server   VS Code's server, for a browser, also where there is a desktop VS Code
  --port N   the server's port; a free one without this
  --help     this text`;

export interface StartOptions {
  readonly help: boolean;
  readonly server: boolean;
  readonly port: number | undefined;
}

/**
 * Parses the arguments after `npm start --`.
 *
 * @throws {Failure} for an unknown option or an invalid value
 */
export function readStartOptions(words: readonly string[]): StartOptions {
  const { help = false, server = false, port } = parse(words);
  if (port === undefined) return { help, server, port: undefined };
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Failure(`--port ${port} is not a port.`, 'Give a number up to 65535.');
  return { help, server: true, port: Number(port) };
}

function parse(words: readonly string[]): { help?: boolean; server?: boolean; port?: string } {
  try {
    return parseArgs({
      args: [...words],
      options: { help: { type: 'boolean', short: 'h' }, server: { type: 'boolean' }, port: { type: 'string' } },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error;
    // Node's message explains how to pass positional arguments; there are none here.
    throw new Failure(error.message.split('. ')[0]!.replace(/\.?$/, '.'), `Use: ${startUsage.split('\n')[0]}`);
  }
}
