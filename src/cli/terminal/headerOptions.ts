import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import { UsageError } from './usage.ts';

/** A name that HTTP allows for a header (RFC 9110 §5.6.2). */
const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Name and value of a header. What is wrong with one is said without its value, which may be a credential. @throws UsageError */
export function readHeader(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim();
  if (!token.test(name)) throw new UsageError("--header wants 'Name: value'; for one agent of a run, 'AGENT: Name: value'.");
  return [name, line.slice(colon + 1).trim()];
}

/** The headers of the command line, of `a2a run`. */
export interface HeaderOptions {
  /** For the agents of the command line and the settings, and for those that files name themselves. */
  readonly all: Readonly<Record<string, string>>;
  /** For one agent, by the name or the address that it has there. */
  of(agent: string): Readonly<Record<string, string>>;
}

/**
 * Sorts `Name: value` from `AGENT: Name: value`.
 * @param agents names and addresses of all agents that the command line, the settings and the files name.
 * @throws UsageError for a header for an agent that is not among them
 */
export function headerOptions(lines: readonly string[], agents: Iterable<string>): HeaderOptions {
  // Of two names, one may be the beginning of the other.
  const names = [...new Set(agents)].sort((one, other) => other.length - one.length);
  const all: [string, string][] = [];
  const own = new Map<string, Record<string, string>>();
  for (const line of lines) {
    const agent = names.find(name => line.startsWith(`${name}:`) && isHeader(line.slice(name.length + 1)));
    if (agent !== undefined) {
      const [name, value] = readHeader(line.slice(agent.length + 1));
      own.set(bare(agent), { ...own.get(bare(agent)), [name]: value });
      continue;
    }
    refuseUnknown(line);
    const [name, value] = readHeader(line);
    all.push([name, value]);
  }
  return { all: Object.fromEntries(all), of: agent => own.get(bare(agent)) ?? {} };
}

/** One address may be written with and without a slash at its end. */
const bare = (agent: string): string => agent.replace(/\/+$/, '');

const isHeader = (text: string): boolean => token.test(text.slice(0, Math.max(text.indexOf(':'), 0)).trim());

const forOneAgent = /^(.+?):\s*([!#$%&'*+.^_`|~\dA-Za-z-]+):\s+(.*)$/s;

/** Tells what may be a credential in such an option, however it is meant. */
export function eachCredential(line: string, tell: (name: string, value: string) => void): void {
  const colon = line.indexOf(':');
  tell(line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim());
  const [, , name, value] = forOneAgent.exec(line) ?? [];
  if (name !== undefined && value !== undefined) tell(name, value.trim());
}

/** A header for an agent whose name is mistyped must not go to all of them as a header of that name. */
function refuseUnknown(line: string): void {
  const [, agent = '', name = ''] = forOneAgent.exec(line) ?? [];
  if (agent === '' || (token.test(agent) && !namesCredential(name))) return;
  throw new UsageError(
    `--header names the agent ${JSON.stringify(agent.slice(0, 60))}, which neither --agent, the settings nor the files have.`,
  );
}
