import * as vscode from 'vscode';
import { cardValue, readCardText } from '../../card/cardText.ts';
import { looksLikeCard } from '../../card/looksLikeCard.ts';
import { isObject } from '../../protocol/json.ts';
import { memberOf } from '../../request/text/jsonNode.ts';
import { jsoncTree } from '../../request/text/syntaxErrors.ts';

/** An agent that a file of the workspace names with its address. */
export interface AgentInFile {
  readonly name: string;
  readonly url: string;
  readonly file: vscode.Uri;
}

const cards = '**/{*.agent-card,*.agentcard,agent-card,agent_card,agentCard,card}.json';
const requests = '**/{*.a2a,a2a.defaults.json}';
const leftOut = '**/{node_modules,.git}/**';
/** Most files of each kind, the largest that is read (bytes), and most agents. */
const maxFiles = 50;
const maxSize = 256 * 1024;
const maxAgents = 50;

const isAddress = (text: unknown): text is string => typeof text === 'string' && /^(?:https?|grpcs?):\/\/[^\s{}]+$/i.test(text);

/** Agents that agent cards and request files of the workspace name by an address; the first of each address. Never rejects for a file. */
export async function agentsInFiles(): Promise<readonly AgentInFile[]> {
  const [ofCards, ofRequests] = await Promise.all([found(cards, inCard), found(requests, inRequests)]);
  const byAddress = new Map<string, AgentInFile>();
  for (const agent of [...ofCards, ...ofRequests]) if (!byAddress.has(agent.url)) byAddress.set(agent.url, agent);
  return [...byAddress.values()].slice(0, maxAgents);
}

type Named = Omit<AgentInFile, 'file'>;

async function found(pattern: string, read: (text: string, file: vscode.Uri) => readonly Named[]): Promise<AgentInFile[]> {
  const files = await vscode.workspace.findFiles(pattern, leftOut, maxFiles);
  const agents = await Promise.all(
    files.map(async file => {
      try {
        const { size, type } = await vscode.workspace.fs.stat(file);
        if (size > maxSize || (type & vscode.FileType.File) === 0) return [];
        const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
        return read(text, file).map(agent => ({ ...agent, file }));
      } catch {
        // Deleted meanwhile, or unreadable: the file names no agent.
        return [];
      }
    }),
  );
  return agents.flat();
}

function inCard(text: string): readonly Named[] {
  const card = looksLikeCard(text) ? readCardText(text) : undefined;
  const value = card && cardValue(card);
  if (!isObject(value) || typeof value['name'] !== 'string') return [];
  const interfaces = Array.isArray(value['supportedInterfaces']) ? (value['supportedInterfaces'] as unknown[]) : [];
  const url = [value, ...interfaces].map(each => (isObject(each) ? each['url'] : undefined)).find(isAddress);
  return url === undefined ? [] : [{ name: value['name'], url }];
}

function inRequests(text: string, file: vscode.Uri): readonly Named[] {
  const { root } = jsoncTree(text);
  const name = file.path.slice(file.path.lastIndexOf('/') + 1).replace(/\.a2a$/, '');
  return [root, ...(memberOf(root, 'requests')?.value?.children ?? [])].flatMap(each => {
    const url: unknown = memberOf(each, 'agent')?.value?.value;
    return isAddress(url) ? [{ name, url }] : [];
  });
}
