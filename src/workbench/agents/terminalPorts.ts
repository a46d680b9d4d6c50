import { readdir, readFile, readlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import { portOf } from '../../model/agents/reachabilityWatch.ts';
import { isObject } from '../../protocol/json.ts';
import { runningPrograms } from './windowPrograms.ts';

/** Maximum number of processes, and of open files of one, that are examined. */
const maxProcesses = 4_096;
const maxFiles = 256;

/**
 * Ports of this window's terminals and debug sessions, as far as VS Code exposes them: in the variables and arguments that they were
 * started with, in running command lines, and, where the system shows it (Linux), those that the programs in the terminals listen on.
 */
export async function portsOfThisWindow(): Promise<readonly number[]> {
  const { commands, sessions } = runningPrograms();
  const started: unknown[] = [
    ...vscode.window.terminals.map(({ creationOptions }) => ('env' in creationOptions ? creationOptions.env?.['PORT'] : undefined)),
    ...commands,
    ...sessions.flatMap(session => sessionValues(session)),
  ];
  const pids = (await Promise.all(vscode.window.terminals.map(({ processId }) => processId))).filter(pid => pid !== undefined);
  return [...new Set([...started.flatMap(portsIn), ...(pids.length === 0 ? [] : await listeningPorts(pids))])];
}

/**
 * Values in the configuration of a session and its parents: a debugger may run the program in a session of its own, with other settings.
 */
const sessionValues = ({ configuration, parentSession }: vscode.DebugSession): unknown[] => [
  ...debugValues(configuration),
  ...(parentSession === undefined ? [] : sessionValues(parentSession)),
];

function debugValues(configuration: vscode.DebugConfiguration): unknown[] {
  const { url, args, env } = configuration as { readonly url?: unknown; readonly args?: unknown; readonly env?: unknown };
  const text = Array.isArray(args) ? args.join(' ') : args;
  return [url, (env as Readonly<Record<string, unknown>> | undefined)?.['PORT'], text, ...agentPorts(configuration)];
}

/** Ports in a launch configuration of our own type; those of others have the port of a debugger under this name. */
function agentPorts({ type, port, agents }: vscode.DebugConfiguration): unknown[] {
  if (type !== 'a2a') return [];
  const several = Array.isArray(agents) ? agents.filter(isObject) : [];
  return [port, ...several.flatMap(each => [each['port'], each['url']])];
}

/** A debug session that was not started without debugging has this address of this machine in its configuration. */
export function isDebugged(url: string): boolean {
  const place = portOf(url);
  if (place === undefined) return false;
  const debugging = runningPrograms().sessions.filter(({ configuration }) => configuration['noDebug'] !== true);
  return debugging.flatMap(sessionValues).flatMap(portsIn).includes(place.port);
}

/** A number by itself, or the ports in an address, in arguments such as `--port 9999` or in a variable, `PORT=9999`. */
export function portsIn(value: unknown): number[] {
  if (typeof value === 'number') return isPort(value) ? [value] : [];
  if (typeof value !== 'string') return [];
  if (/^\d+$/.test(value)) return portsIn(Number(value));
  const found = value.slice(0, 10_000).matchAll(/(?:--?p(?:ort)?[ =]|\bPORT=|(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):)(\d{1,5})\b/g);
  return [...found].map(([, digits]) => Number(digits)).filter(isPort);
}

const isPort = (value: number): boolean => Number.isInteger(value) && value > 0 && value < 65_536;

/** Ports on which these processes and their children listen; none where the system has no `/proc`. */
export async function listeningPorts(roots: readonly number[], proc = '/proc'): Promise<number[]> {
  const inodes = new Map((await Promise.all(['tcp', 'tcp6'].map(file => listeningInodes(`${proc}/net/${file}`)))).flat());
  if (inodes.size === 0) return [];
  const links = await Promise.all([...(await withChildren(roots, proc))].map(pid => socketsOf(pid, proc)));
  return links.flat().flatMap(inode => inodes.get(inode) ?? []);
}

/** Ports by inode, from a table of the kernel, that listen on this machine alone or on every address. */
async function listeningInodes(file: string): Promise<(readonly [inode: string, port: number])[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(1)
    .flatMap(line => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      const port = Number.parseInt(local.split(':')[1] ?? '', 16);
      return state === '0A' && inode !== undefined && isPort(port) ? [[inode, port] as const] : [];
    });
}

async function withChildren(roots: readonly number[], proc: string): Promise<ReadonlySet<number>> {
  const all = (await readdir(proc).catch(() => [])).filter(name => /^\d+$/.test(name)).slice(0, maxProcesses);
  const parents = await Promise.all(
    all.map(async (pid): Promise<readonly [number, number]> => {
      const stat = await readFile(`${proc}/${pid}/stat`, 'utf8').catch(() => '');
      // The name of the program stands in brackets and may contain anything.
      return [Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])];
    }),
  );
  const found = new Set(roots);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return found;
}

async function socketsOf(pid: number, proc: string): Promise<string[]> {
  const files = (await readdir(`${proc}/${pid}/fd`).catch(() => [])).slice(0, maxFiles);
  const targets = await Promise.all(files.map(file => readlink(`${proc}/${pid}/fd/${file}`).catch(() => '')));
  return targets.flatMap(target => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}
