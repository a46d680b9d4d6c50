import * as vscode from 'vscode';
import type { GrpcWithoutCardProblem } from '../../client/grpc/discovery.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { parseInterfaceSelector, type InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { confirmOrigin, foreignOriginOf } from '../agentsView/foreignOrigin.ts';
import { oneLine, escapeIcons, escapeLinks } from '../platform/untrustedText.ts';
import { askForAddress } from './askForAddress.ts';
import { selectorLabel } from '../platform/interfaceNames.ts';
import { explainInBox, inARow, report, translate } from '../platform/report.ts';
import { type AgentSettings, isNameTaken, addAgentToSettings } from '../platform/settings.ts';
import { findingSentence } from '../../protocol/finding.ts';

export interface AddedAgent {
  readonly name: string;
  readonly url: string;
}

/** The card's name, with a number added if it is taken. Without braces: request files name agents in values that may hold templates. */
export function freeName(wanted: string, agents: Agents): string {
  const base = [...oneLine(wanted.replaceAll(/[{}]/g, ''))].slice(0, 60).join('') || vscode.l10n.t('Agent');
  let name = base;
  for (let number = 2; isNameTaken(name) || agents.get(name) !== undefined; number++) name = `${base} ${number}`;
  return name;
}

/** Asks for credentials and signs in to an agent; false where the person gives up. */
export type SignIn = (agent: Agent) => Promise<boolean>;

interface Found {
  readonly agent: Agent;
  /** Settings for the agent from the person's answers. */
  readonly settings: Pick<AgentSettings, 'origins' | 'interface'>;
}

/**
 * Connects to the agent at an address. Asks the person whether to allow another origin, or to continue without a card, and signs in where
 * the agent's card requires it; undefined if they allow no origin.
 */
async function connected(agents: Agents, url: string, signIn: SignIn, asked?: InterfaceSelector): Promise<Found | undefined> {
  const origins: string[] = [];
  let wasSignedIn = false;
  let wanted = asked;
  for (;;) {
    const settings = { ...(origins.length > 0 && { origins }), ...(wanted && { interface: wanted }) };
    const agent = agents.at(url, settings);
    try {
      await agent.connect({ refresh: true });
      const { addressSpeaks } = agent;
      return { agent, settings: { ...settings, ...(wanted === undefined && addressSpeaks !== undefined && { interface: addressSpeaks }) } };
    } catch (error) {
      if (wanted === undefined && error instanceof Problem && error.code === 'grpc-without-card') {
        wanted = await pickEndpoint(error, agent.addressUrl);
        if (wanted === undefined) throw error;
        continue;
      }
      if (!wasSignedIn && agent.card === undefined && error instanceof Problem && error.code === 'unauthorized') {
        wasSignedIn = await signIn(agent);
        if (wasSignedIn) continue;
      }
      const origin = foreignOriginOf(error);
      if (origin === undefined || origins.includes(origin)) throw error;
      const remedy = wanted === undefined ? agent.diagnosis.find(each => each.suggestedFix !== undefined) : undefined;
      const answer = await askAbout(agent.card?.name ?? url, origin, remedy);
      if (answer === 'allow') origins.push(origin);
      else if (answer === 'mend') wanted = remedy?.suggestedFix?.change;
      else return undefined;
    }
  }
}

/** Ways to use an address without a card: the detected one (gRPC), or all possible ones. Empty for other failures. */
function endpointsOf(error: unknown, url: string): readonly InterfaceSelector[] {
  if (!(error instanceof Problem)) return [];
  if (error.code === 'grpc-without-card') return [(error as GrpcWithoutCardProblem).wanted];
  if (error.code !== 'no-card' && error.code !== 'html-instead-of-card') return [];
  return ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3'].map(words => ({ url, ...parseInterfaceSelector(words) }));
}

/**
 * Asks how to use an agent that has no card.
 * @param url of the agent
 */
async function pickEndpoint(problem: Problem, url: string): Promise<InterfaceSelector | undefined> {
  const endpoints = endpointsOf(problem, url);
  const uses = endpoints.map(wanted =>
    vscode.l10n.t('Use It as {0}', selectorLabel({ ...wanted, url: undefined }).replace('JSONRPC', 'JSON-RPC')),
  );
  const picked = await vscode.window.showWarningMessage(
    escapeLinks(escapeIcons(vscode.l10n.t('No card here. {0}', translate(problem.sentence)))),
    {
      modal: true,
      detail: vscode.l10n.t('Without a card, its name, skills and input modes are unknown. Messages can still be sent.'),
    },
    ...uses,
  );
  return picked === undefined ? undefined : endpoints[uses.indexOf(picked)];
}

/** The card names an address of another origin: asks whether to allow it or to correct the card's interface. */
async function askAbout(
  name: string,
  origin: string,
  remedy: Agent['diagnosis'][number] | undefined,
): Promise<'allow' | 'mend' | undefined> {
  if (remedy?.suggestedFix === undefined) return (await confirmOrigin(name, origin)) ? 'allow' : undefined;
  const mend = escapeIcons(translate(remedy.suggestedFix.title));
  const allow = vscode.l10n.t('Allow {0}', origin);
  const choice = await vscode.window.showWarningMessage(
    escapeLinks(vscode.l10n.t('The card of "{0}" sends requests to {1}.', name, origin)),
    { modal: true, detail: escapeIcons(translate(findingSentence(remedy.finding))) },
    mend,
    allow,
  );
  return choice === mend ? 'mend' : choice === allow ? 'allow' : undefined;
}

const withoutCard: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('plug'),
  tooltip: vscode.l10n.t('Use It Without a Card…'),
};

/**
 * Asks for a URL until an agent is found there or the person cancels. For a wrong one the reason is shown under the box, and the text
 * stays. The second step signs in at an agent that requires it; an agent whose card could be read is added before that. Returns the agent's
 * name in the settings, and the address as it was typed.
 */
export async function addAgent(agents: Agents, signIn: SignIn, given?: string): Promise<AddedAgent | undefined> {
  const address = given ?? (await askForAddress(agents));
  if (address === undefined) return undefined;
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('Add Agent');
  box.prompt = vscode.l10n.t('Base URL of the agent, or the address of its agent card');
  box.placeholder = 'http://localhost:9999';
  box.value = address;
  box.ignoreFocusOut = true;
  const { promise, resolve } = Promise.withResolvers<AddedAgent | undefined>();
  let looking: AbortController | undefined;
  /** Why there is no card at the address in the box. */
  let cardless: Problem | undefined;
  box.onDidChangeValue(() => {
    looking?.abort();
    box.validationMessage = undefined;
    box.buttons = [];
  });
  /** The box makes room for the questions of a sign-in, and comes back where that leads to no agent. */
  let makesRoom = false;
  const inItsPlace: SignIn = async agent => {
    makesRoom = true;
    try {
      return await signIn(agent);
    } finally {
      box.show();
      makesRoom = false;
    }
  };
  box.onDidHide(() => {
    if (makesRoom) return;
    looking?.abort();
    resolve(undefined);
  });
  const accept = async (wanted?: InterfaceSelector): Promise<void> => {
    looking?.abort();
    const mine = (looking = new AbortController());
    box.busy = true;
    try {
      const url = box.value.trim();
      const known = agents.configuredAt(url);
      if (known !== undefined) throw new Problem('known-agent', sentence('This address is in the list already, as "{0}".', known.name));
      const found = await connected(agents, url, inItsPlace, wanted);
      if (found === undefined || mine.signal.aborted) return;
      const name = freeName(found.agent.card?.name ?? new URL(found.agent.addressUrl).host, agents);
      await addAgentToSettings(name, { url, ...found.settings });
      makesRoom = true;
      if (found.agent.needsSignIn) await signIn(agents.get(name) ?? found.agent).catch(report);
      resolve({ name, url });
    } catch (error) {
      if (mine.signal.aborted) return;
      cardless = endpointsOf(error, box.value).length > 0 ? (error as Problem) : undefined;
      box.buttons = cardless === undefined ? [] : [withoutCard];
      const offer = cardless === undefined ? '' : vscode.l10n.t('To use it without a card, select the plug button.');
      const message = inARow(explainInBox(error), offer);
      box.validationMessage = { message, severity: vscode.InputBoxValidationSeverity.Error };
    } finally {
      if (looking === mine) box.busy = false;
    }
  };
  box.onDidAccept(() => accept());
  box.onDidTriggerButton(async () => {
    const wanted = cardless && (await pickEndpoint(cardless, agents.at(box.value.trim(), {}).addressUrl));
    if (wanted !== undefined) await accept(wanted);
  });
  box.show();
  // A typed or chosen address needs no second Enter.
  if (given === undefined) void accept();
  return promise.finally(() => box.dispose());
}
