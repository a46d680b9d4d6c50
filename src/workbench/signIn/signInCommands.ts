import * as vscode from 'vscode';
import type { SignInPlan } from '../../auth/signInPlan.ts';
import type { RedirectReceiver } from '../../auth/signInPrompts.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { Problem } from '../../protocol/problem.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentSignIns } from '../../model/agents/agentSignIns.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { escapeIcons, escapeLinks, oneLine } from '../platform/untrustedText.ts';
import { explain } from '../platform/report.ts';
import { canceled, signInPrompts, usualOptions, type RedirectPageText } from './signInPrompts.ts';

export type SignInCommandId = 'a2a.signIn' | 'a2a.signOut';

/** What is loaded with the first sign-in. */
export interface SignInParts {
  redirects(page: RedirectPageText): Promise<RedirectReceiver>;
  plan(card: Pick<AgentCard, 'securitySchemes' | 'securityRequirements'>, challenge: string | undefined): Promise<SignInPlan>;
}

export interface SignInCommands {
  readonly handlers: Pick<CommandHandlers, SignInCommandId>;
}

export function signInCommands({
  agents,
  signIns,
  parts,
  meantAgent,
}: {
  readonly agents: Agents;
  readonly signIns: AgentSignIns;
  readonly parts: SignInParts;
  readonly meantAgent: (argument: unknown) => Promise<Agent | undefined>;
}): SignInCommands {
  return {
    handlers: {
      'a2a.signIn': async argument => {
        const agent = await meantAgent(argument);
        if (agent !== undefined) await signIn(agent, signIns, parts);
      },
      'a2a.signOut': async argument => {
        const given = argument === undefined ? undefined : await meantAgent(argument);
        await signOut(agents, signIns, given);
      },
    },
  };
}

async function signIn(agent: Agent, signIns: AgentSignIns, parts: SignInParts): Promise<void> {
  await cardOf(agent);
  const { problem } = agent;
  const challenge =
    problem?.code === 'unauthorized' && 'challenge' in problem && typeof problem.challenge === 'string' ? problem.challenge : undefined;
  const plan = await parts.plan(agent.card ?? {}, challenge);
  const all = await signIns.signIns();
  const url = new URL(agent.addressUrl).href;
  const title = vscode.l10n.t('Sign In to "{0}"', oneLine(agent.name));
  const identity = await chosenIdentity(await all.identities(url), title);
  const prompts = signInPrompts(title, page => parts.redirects(page));
  try {
    await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: escapeLinks(vscode.l10n.t('Signing in to "{0}"…', oneLine(agent.name))),
        cancellable: true,
      },
      async (_progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        await all.of(url).signIn({
          plan: plan.options.length > 0 ? plan : { ...plan, options: usualOptions() },
          challenge,
          prompts,
          identity,
          origins: [...agent.approvedOrigins],
          // A card that is given to nobody without credentials is asked for with them.
          ...(agent.card === undefined && { card: true }),
          signal: stop.signal,
        });
      },
    );
  } catch (error) {
    if (error instanceof Problem && error.code === 'sign-in-canceled') return;
    throw error;
  }
  await agent.check({ anew: true });
  const state = await all.state(url);
  const account = state.kind === 'signedIn' ? (state.account ?? (identity === 'default' ? undefined : identity)) : undefined;
  void vscode.window.showInformationMessage(
    escapeLinks(
      account === undefined
        ? vscode.l10n.t('Signed in to "{0}".', oneLine(agent.name))
        : vscode.l10n.t('Signed in to "{0}" as {1}.', oneLine(agent.name), oneLine(account)),
    ),
  );
}

/** The card says how to sign in; an agent that gives it to nobody says so by its challenge. */
async function cardOf(agent: Agent): Promise<void> {
  if (agent.card !== undefined || agent.problem?.code === 'unauthorized') return;
  try {
    await agent.connect();
  } catch (error) {
    if (agent.card === undefined && !(error instanceof Problem && error.code === 'unauthorized')) throw error;
  }
}

/** Under which name it is kept. Who has one sign-in is asked whether it is that one. */
async function chosenIdentity(known: readonly string[], title: string): Promise<string> {
  if (known.length === 0) return 'default';
  const other = { label: `$(add) ${vscode.l10n.t('Another Identity…')}`, identity: undefined };
  const choice = await vscode.window.showQuickPick(
    [...known.map(identity => ({ label: escapeIcons(identity), description: vscode.l10n.t('sign in again'), identity })), other],
    { title, placeHolder: vscode.l10n.t('Whose sign-in is it?'), ignoreFocusOut: true },
  );
  if (choice === undefined) throw canceled();
  if (choice.identity !== undefined) return choice.identity;
  const name = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('A name for this identity, such as alice. Request files choose it with "auth".'),
    ignoreFocusOut: true,
    validateInput: text =>
      text.trim() === '' || text.trim().length > 60 || text.trim() === 'none'
        ? vscode.l10n.t('A name of 1 to 60 characters, and not "none".')
        : undefined,
  });
  if (name === undefined) throw canceled();
  return name.trim();
}

async function signOut(agents: Agents, signIns: AgentSignIns, given: Agent | undefined): Promise<void> {
  const all = await signIns.signIns();
  const listed = (await all.list()).filter(({ url }) => given === undefined || sameAgent(url, given.addressUrl));
  if (listed.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('You are not signed in to any agent.'));
    return;
  }
  const [only] = listed;
  const chosen =
    given !== undefined && listed.length === 1
      ? only
      : (
          await vscode.window.showQuickPick(
            listed.map(each => ({
              label: escapeIcons(oneLine(nameOf(agents, each.url))),
              description: escapeIcons(oneLine(each.state.kind === 'none' ? each.identity : (each.state.account ?? each.identity))),
              detail: each.url,
              each,
            })),
            { title: vscode.l10n.t('Sign Out'), placeHolder: vscode.l10n.t('Of which agent?') },
          )
        )?.each;
  if (chosen === undefined) return;
  const failure = await all.signOut(chosen.url, chosen.identity);
  const name = oneLine(nameOf(agents, chosen.url));
  void (failure === undefined
    ? vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('Signed out of "{0}".', name)))
    : vscode.window.showWarningMessage(
        escapeLinks(
          vscode.l10n.t('Signed out of "{0}" here, but the authorization server was not told: {1}', name, explain(failure).message),
        ),
      ));
  await agents.all.find(agent => sameAgent(chosen.url, agent.addressUrl))?.check({ anew: true });
}

const sameAgent = (one: string, other: string): boolean => one.replace(/\/+$/, '') === other.replace(/\/+$/, '');

const nameOf = (agents: Agents, url: string): string => agents.all.find(agent => sameAgent(url, agent.addressUrl))?.name ?? url;
