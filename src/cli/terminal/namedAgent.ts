import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { AgentSettings } from '../../model/agents/agentSettings.ts';
import { windowAgentsVariable } from '../../model/agents/windowAgents.ts';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { Problem } from '../../protocol/problem.ts';
import { SandboxedFiles } from '../../request/values/sandboxedFiles.ts';
import type { Values } from './options.ts';
import { knownAgents, type SettingsFile } from './settingsAgents.ts';
import type { Terminal } from './terminal.ts';
import { FileError, UsageError } from './usage.ts';

/** An agent of the workspace's settings, under its name. */
export interface NamedAgent {
  readonly name: string;
  readonly settings: AgentSettings;
}

/** Maximum number of folders searched. */
const maxFolders = 64;

/** Addresses are never looked up by name, so that no settings can redirect them. */
export const isAddress = (word: string): boolean =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(word) || (/[.:/]/.test(word) && !/\s/.test(word)) || word === 'localhost';

/**
 * The agent that a word names; undefined for an address.
 * @throws UsageError for a name that no settings have; FileError for settings that cannot be read
 */
export async function namedAgent(word: string, terminal: Pick<Terminal, 'host' | 'output'>): Promise<NamedAgent | undefined> {
  if (isAddress(word) || word === '') return undefined;
  const agents = await knownAgents(await settingsAbove(terminal.host.cwd()), terminal);
  const settings = agents.get(word);
  if (settings !== undefined) return { name: word, settings };
  const like = closestMatch(word, agents.keys());
  const known = [...agents.keys()].slice(0, 10).map(name => name.slice(0, 60));
  const [where, nextStep] = terminal.host.env[windowAgentsVariable]
    ? ["of VS Code's window or of", 'Give its address, or add it with "A2A: Add Agent…".']
    : [
        'of',
        "Agents of VS Code's user settings are known in its own terminals only: give the address, or add the agent to .vscode/settings.json.",
      ];
  const others = known.length === 0 ? '' : `There are: ${known.join(', ')}. `;
  throw new UsageError(
    `"${word.slice(0, 60)}" is neither an address nor an agent ${where} "a2a.agents" in .vscode/settings.json. ` +
      (like !== undefined ? `Did you mean ${like}?` : others + nextStep),
  );
}

/**
 * The options of a command line, completed from the settings of the agent.
 * @param eachInterface leaves out which interface the settings want
 */
export function withSettings(values: Values, { settings }: NamedAgent, eachInterface = false): Values {
  const { interface: wanted, origins = [], extensions = [], auth } = settings;
  const isSelected = values.interface !== undefined || values['protocol-version'] !== undefined;
  return {
    ...values,
    ...(!isSelected && !eachInterface && { settingsInterface: wanted }),
    ...(auth !== undefined && values.identity === undefined && { identity: auth }),
    'allow-origin': [...origins, ...(values['allow-origin'] ?? [])],
    extension: [...extensions, ...(values.extension ?? [])],
  };
}

/**
 * The settings files of the folder and of those above it, nearest first, up to the root of the repository. Files of another user
 * are ignored: every user can write to a folder such as /tmp.
 */
export async function settingsAbove(cwd: string): Promise<readonly SettingsFile[]> {
  const files: SettingsFile[] = [];
  let folder = cwd;
  for (let count = 0; count < maxFolders; count++) {
    const path = join(folder, '.vscode', 'settings.json');
    if (isOwn(path)) files.push({ path: relative(cwd, path) || path, text: await textOf(folder, path) });
    const above = dirname(folder);
    if (above === folder || statSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) break;
    folder = above;
  }
  return files;
}

function isOwn(path: string): boolean {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && (process.getuid === undefined || owner === process.getuid() || owner === 0);
}

async function textOf(root: string, path: string): Promise<string> {
  try {
    return await new SandboxedFiles({ root, folder: root }).text(path);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new FileError(error.message, { cause: error });
  }
}
