import * as vscode from 'vscode';
import type { Agent } from '../model/agent.ts';
import type { Agents } from '../model/agents.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { confirmOrigin, foreignOriginOf } from './foreignOrigin.ts';
import { oneLine, unlinked } from './oneLine.ts';
import { explain } from './report.ts';
import { isNameTaken, putAgent } from './settings.ts';

export interface AddedAgent {
  readonly name: string;
  readonly url: string;
}

/** Takes the name of the card, and a number where that is taken. */
function freeName(wanted: string, agents: Agents): string {
  const base = [...oneLine(wanted)].slice(0, 60).join('') || vscode.l10n.t('Agent');
  let name = base;
  for (let number = 2; isNameTaken(name) || agents.get(name) !== undefined; number++) name = `${base} ${number}`;
  return name;
}

/** The agent at an address, connected, with the origins that the person allowed on the way; undefined where one was not allowed. */
async function connected(agents: Agents, url: string): Promise<{ readonly agent: Agent; readonly origins: string[] } | undefined> {
  const origins: string[] = [];
  for (;;) {
    const agent = agents.at(url, { origins });
    try {
      await agent.connect({ refresh: true });
      return { agent, origins };
    } catch (error) {
      const origin = foreignOriginOf(error);
      if (origin === undefined || origins.includes(origin)) throw error;
      if (!await confirmOrigin(agent.card?.name ?? url, origin)) return undefined;
      origins.push(origin);
    }
  }
}

/**
 * Asks for a URL until a card is found there or the person gives up. A wrong one gets its reason under the box, and what was typed
 * stays. Returns the name under which the agent is in the settings now, and the address as it was typed.
 */
export async function addAgent(agents: Agents, address = ''): Promise<AddedAgent | undefined> {
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('Add Agent');
  box.prompt = vscode.l10n.t('Base URL of the agent, or the address of its agent card');
  box.placeholder = 'http://localhost:9999';
  box.value = address;
  box.ignoreFocusOut = true;
  const { promise, resolve } = Promise.withResolvers<AddedAgent | undefined>();
  let looking: AbortController | undefined;
  box.onDidChangeValue(() => {
    looking?.abort();
    box.validationMessage = undefined;
  });
  box.onDidHide(() => {
    looking?.abort();
    resolve(undefined);
  });
  box.onDidAccept(async () => {
    looking?.abort();
    const mine = looking = new AbortController();
    box.busy = true;
    try {
      const url = box.value.trim();
      const known = agents.configuredAt(url);
      if (known !== undefined) throw new Problem('known-agent', sentence('This address is in the list already, as "{0}".', known.name));
      const found = await connected(agents, url);
      if (found === undefined || mine.signal.aborted) return;
      const name = freeName(found.agent.card?.name ?? '', agents);
      await putAgent(name, { url, ...found.origins.length > 0 ? { origins: found.origins } : {} });
      resolve({ name, url });
    } catch (error) {
      if (mine.signal.aborted) return;
      const { message, nextStep } = explain(error);
      box.validationMessage = { message: unlinked([message, nextStep].filter(Boolean).join(' ')), severity: vscode.InputBoxValidationSeverity.Error };
    } finally {
      if (looking === mine) box.busy = false;
    }
  });
  box.show();
  return promise.finally(() => box.dispose());
}
