import * as vscode from 'vscode';
import type { SignInPlan } from '../../auth/signInPlan.ts';
import type { SignIns } from '../../auth/signIns/signIns.ts';
import type { SignInRequest } from '../../auth/signIns/agentSignIn.ts';
import type { RedirectReceiver } from '../../auth/signInPrompts.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { Agent } from '../../model/agents/agent.ts';
import { certificatesOfWorkspace } from '../../model/agents/agentSettings.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentSignIns } from '../../model/agents/agentSignIns.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { escapeIcons, escapeLinks, oneLine } from '../platform/untrustedText.ts';
import { explain, inARow, translate, translatedList } from '../platform/report.ts';
import { originsOfUser, placeOfAgent } from '../platform/settings.ts';
import { clientCertificate, type SecretKeeper } from './clientCertificate.ts';
import { explainSignIn, type SignInDoctor } from './explainCommand.ts';
import { chosenIdentity } from './identities.ts';
import type { SignInReports } from './signInReports.ts';
import { allowsCredentials, withheldOf } from './withheldCredentials.ts';
import { showSignInOutcome } from './signInOutcome.ts';
import { canceled, certificateOption, focusInput, signInPrompts, usualOptions, type RedirectPageText } from './signInPrompts.ts';

type SignInCommandId = 'a2a.signIn' | 'a2a.signOut' | 'a2a.explainSignIn';

/** The part of signing in that is loaded with the first sign-in. */
export interface SignInParts {
  redirects(page: RedirectPageText): Promise<RedirectReceiver>;
  plan(
    card: Pick<AgentCard, 'securitySchemes' | 'securityRequirements'> & Partial<Pick<AgentCard, 'skills'>>,
    challenge: string | undefined,
  ): Promise<SignInPlan>;
  doctor(): Promise<SignInDoctor>;
}

export interface SignInCommands {
  /** Signs in to an agent that need not be in the settings. False where the person gave up; rejects with a `Problem` where it failed. */
  readonly signIn: (agent: Agent) => Promise<boolean>;
  readonly handlers: Pick<CommandHandlers, SignInCommandId>;
}

export function signInCommands({
  agents,
  signIns,
  parts,
  secrets,
  reports,
  meantAgent,
  ask,
}: {
  readonly agents: Agents;
  readonly signIns: AgentSignIns;
  readonly parts: SignInParts;
  readonly secrets: SecretKeeper;
  readonly reports: SignInReports;
  readonly meantAgent: (argument: unknown) => Promise<Agent | undefined>;
  /** Asks an agent of the settings for its tasks, so that its answer shows whether it accepts the credential. Never rejects. */
  readonly ask: (name: string) => Promise<void>;
}): SignInCommands {
  /** Sign-ins under way, by the address of the agent: a second one would take the first one's input box away. */
  const underWay = new Map<string, Promise<boolean>>();
  const signInOnce = (agent: Agent): Promise<boolean> => {
    const key = agent.addressUrl;
    const first = underWay.get(key);
    if (first !== undefined) {
      inform(vscode.l10n.t('A sign-in to "{0}" is under way. Finish or cancel it first.', oneLine(agent.name)));
      void vscode.commands.executeCommand(focusInput);
      return first;
    }
    const done = signIn(agent, { agents, signIns, parts, secrets, ask }).finally(() => underWay.delete(key));
    underWay.set(key, done);
    return done;
  };
  return {
    signIn: signInOnce,
    handlers: {
      'a2a.signIn': async argument => {
        const agent = await meantAgent(argument);
        if (agent !== undefined) await signInOnce(agent);
      },
      'a2a.explainSignIn': async argument => {
        const agent = await meantAgent(argument);
        if (agent === undefined) return;
        const needs = { agents, signIns, parts, secrets, ask };
        await explainSignIn(agent, {
          load: () => parts.doctor(),
          plan: () => planOf(agent, parts),
          signIn: async (doctor, signal) => {
            const { current, states } = await doctor.signIns.at(agent.addressUrl);
            const title = titleOf(agent.name, new URL(agent.addressUrl));
            const request = await requestOf(agent, needs, { title, known: [...states.keys()] });
            const identity = agent.settings.auth ?? current;
            const prompts = doctor.trace.prompts(request.prompts);
            await doctor.signIns.of(agent.addressUrl).signIn({ ...request, prompts, identity, signal });
          },
          show: text => reports.show(agent.name, text),
        });
      },
      'a2a.signOut': async argument => {
        const given = argument === undefined ? undefined : await meantAgent(argument);
        await signOut(agents, signIns, given);
      },
    },
  };
}

interface Needs {
  readonly agents: Pick<Agents, 'get'>;
  readonly signIns: AgentSignIns;
  readonly parts: SignInParts;
  readonly secrets: SecretKeeper;
  readonly ask: (name: string) => Promise<void>;
}

/** The ways to sign in that the agent's card, or its refusal, offers. */
async function planOf(agent: Agent, parts: SignInParts): Promise<SignInPlan> {
  if (agent.card === undefined && mayWantCertificate(agent.problem)) return { options: [certificateOption()], optional: false };
  const plan = await parts.plan(agent.card ?? {}, agent.challenge?.challenge);
  return plan.options.length > 0 ? plan : { ...plan, options: usualOptions() };
}

/** The request for a sign-in at an agent, with questions to the person that come before it; rejects with a `Problem`. */
async function requestOf(
  agent: Agent,
  { parts, secrets }: Needs,
  { title, known }: { readonly title: string; readonly known: readonly string[] },
): Promise<Pick<SignInRequest, 'plan' | 'challenge' | 'challengedUrl' | 'prompts' | 'origins' | 'card' | 'certificates'>> {
  const { challenge, url: challengedUrl } = agent.challenge ?? {};
  return {
    plan: await planOf(agent, parts),
    challenge,
    challengedUrl,
    prompts: signInPrompts(title, {
      loopback: page => parts.redirects(page),
      certificate: () => clientCertificate(agent, secrets, title),
    }),
    ...(await allowedFor(agent, known)),
    // A card that requires credentials is fetched with them.
    ...(agent.card === undefined && { card: true }),
  };
}

async function signIn(agent: Agent, needs: Needs): Promise<boolean> {
  await cardOf(agent);
  if (agent.settings.auth === 'none')
    throw new Problem('sign-in-none', sentence('The settings of "{0}" turn off sign-in for its requests.', agent.name), {
      nextStep: sentence('Remove "auth": "none" from its entry in the setting a2a.agents.'),
    });
  const all = await needs.signIns.signIns();
  const url = new URL(agent.addressUrl).href;
  const title = titleOf(agent.name, new URL(url));
  let identity: string;
  try {
    const withheld = await withheldOf(agent, all);
    if (withheld?.origin !== undefined) {
      const again = vscode.l10n.t('Sign In Again');
      const answer = await allowsCredentials(agent, all, withheld, again);
      if (answer === undefined) return false;
      if (answer !== again) {
        await checkedAgent(agent, needs);
        await showSignInOutcome(agent, needs, vscode.l10n.t('Signed in to "{0}".', oneLine(agent.name)));
        return true;
      }
    }
    const chosen = agent.settings.auth ?? (await chosenIdentity(await all.at(url), title));
    if (typeof chosen !== 'string') {
      await all.use(url, chosen.use);
      if (await staysWithheld(agent, all, needs)) return true;
      const words = vscode.l10n.t('Requests to "{0}" are signed in as {1} now.', oneLine(agent.name), oneLine(chosen.use));
      await showSignInOutcome(agent, needs, words);
      return true;
    }
    identity = chosen;
    const request = await requestOf(agent, needs, { title, known: await all.identities(url) });
    await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: escapeLinks(vscode.l10n.t('Signing in to "{0}"…', oneLine(agent.name))),
        cancellable: true,
      },
      async (_progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        await all.of(url).signIn({ ...request, identity, signal: stop.signal });
      },
    );
  } catch (error) {
    if (error instanceof Problem && error.code === 'sign-in-canceled') return false;
    throw error;
  }
  if (await staysWithheld(agent, all, needs)) return true;
  const state = await all.state(url, identity);
  const account = state.kind === 'signedIn' ? (state.account ?? (identity === 'default' ? undefined : identity)) : undefined;
  await showSignInOutcome(
    agent,
    needs,
    account === undefined
      ? vscode.l10n.t('Signed in to "{0}".', oneLine(agent.name))
      : vscode.l10n.t('Signed in to "{0}" as {1}.', oneLine(agent.name), oneLine(account)),
  );
  return true;
}

/** The agent with the credentials that it has now. Its settings may have changed, so that it is another object. */
async function checkedAgent(agent: Agent, { agents }: Needs): Promise<Agent> {
  const present = agents.get(agent.name) ?? agent;
  await present.check({ anew: true, signedIn: true });
  return present;
}

/** True where the interface in use gets no credentials all the same, which the person has then read. Rejects with a `Problem`. */
async function staysWithheld(agent: Agent, all: SignIns, needs: Needs): Promise<boolean> {
  const present = await checkedAgent(agent, needs);
  const withheld = await withheldOf(present, all);
  if (withheld === undefined) return false;
  if (withheld.origin !== undefined && (await allowsCredentials(present, all, withheld)) !== undefined) {
    await checkedAgent(present, needs);
    return false;
  }
  const words = inARow(translate(withheld.what), translate(withheld.nextStep));
  void vscode.window.showWarningMessage(escapeLinks(words));
  return true;
}

/** The name alone does not show where the credentials go: a workspace may have an agent of the same name. */
const titleOf = (name: string, { host }: URL): string =>
  name.includes(host) ? vscode.l10n.t('Sign In to "{0}"', oneLine(name)) : vscode.l10n.t('Sign In to "{0}" ({1})', oneLine(name), host);

interface Allowed {
  /** Other origins that may have the credentials. */
  readonly origins: readonly string[];
  /** See `RequestedSignIn`. */
  readonly certificates?: string;
}
const inform = (what: string): void => void vscode.window.showInformationMessage(escapeLinks(what));

/**
 * Origins and certificates of an agent's settings that its credentials may be used with. Settings of a workspace are not the person's own:
 * without a yes its agent's address gets no credentials, its other origins are left out, and its certificates are not trusted.
 * @param known identities of the person at the agent: with one, its address counts as the person's
 */
async function allowedFor({ name, addressUrl, approvedOrigins, settings }: Agent, known: readonly string[]): Promise<Allowed> {
  const { origin } = new URL(addressUrl);
  const others = [...approvedOrigins].filter(each => each !== origin);
  const scope = placeOfAgent(name)?.scope;
  if (scope === undefined || scope === 'user') return { origins: others };
  const isNamed = known.length > 0 || originsOfUser().has(origin);
  const consequence = vscode.l10n.t(
    'This comes from the workspace settings, not from your user settings. Allow it only if you know these addresses.',
  );
  if (!isNamed && (await allows(vscode.l10n.t('Send your credentials for "{0}" to {1}?', oneLine(name), origin), consequence)) !== true)
    throw canceled();
  const certificates = certificatesOfWorkspace(settings);
  if (
    certificates !== undefined &&
    (await allows(
      vscode.l10n.t('Send your credentials for "{0}", although this workspace decides which certificates are trusted?', oneLine(name)),
      vscode.l10n.t('The author of its settings could read your credentials on their way. Allow it only if you know who that is.'),
    )) !== true
  )
    throw canceled();
  const isAllowed =
    others.length > 0 &&
    (await allows(
      vscode.l10n.t('Send your credentials for "{0}" to {1}, too?', oneLine(name), oneLine(translatedList(others))),
      consequence,
    ));
  return { origins: isAllowed ? others : [], ...(certificates !== undefined && { certificates }) };
}

/** Rejects with a `Problem` where the person gives up. */
async function allows(question: string, detail: string): Promise<boolean> {
  const allow = vscode.l10n.t('Allow');
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, allow, vscode.l10n.t('Do Not Send'));
  if (answer === undefined) throw canceled();
  return answer === allow;
}

/** Connects for the card, which lists the ways to sign in. An agent that refuses it lists them in its challenge, or ends the connection. */
async function cardOf(agent: Agent): Promise<void> {
  if (agent.card !== undefined || agent.problem?.code === 'unauthorized') return;
  try {
    await agent.connect();
  } catch (error) {
    if (agent.card !== undefined || mayWantCertificate(error)) return;
    if (!(error instanceof Problem && error.code === 'unauthorized')) throw error;
  }
}

/** True for a `ConnectionProblem` that looks like a server that requires a client certificate. */
const mayWantCertificate = (problem: unknown): boolean =>
  problem instanceof Problem && 'mayWantCertificate' in problem && problem.mayWantCertificate === true;

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
            { title: vscode.l10n.t('Sign Out'), placeHolder: vscode.l10n.t('Sign out of which agent?') },
          )
        )?.each;
  if (chosen === undefined) return;
  if (await endSignIn(agents, all, chosen)) inform(vscode.l10n.t('Signed out of "{0}".', oneLine(nameOf(agents, chosen.url))));
}

/** Ends a sign-in; its agents are checked without it. Resolves with false where its tokens could not be revoked, which is reported. */
export async function endSignIn(
  agents: Pick<Agents, 'all'>,
  signIns: Pick<SignIns, 'signOut'>,
  { url, identity }: { readonly url: string; readonly identity: string },
): Promise<boolean> {
  const failure = await signIns.signOut(url, identity);
  for (const agent of agents.all) if (sameAgent(url, agent.addressUrl)) void agent.check({ anew: true, signedIn: true });
  if (failure === undefined) return true;
  const name = oneLine(nameOf(agents, url));
  const words = vscode.l10n.t(
    'Signed out of "{0}" here, but the authorization server was not notified: {1}',
    name,
    explain(failure).message,
  );
  void vscode.window.showWarningMessage(escapeLinks(words));
  return false;
}

const sameAgent = (one: string, other: string): boolean => one.replace(/\/+$/, '') === other.replace(/\/+$/, '');

const nameOf = (agents: Pick<Agents, 'all'>, url: string): string =>
  agents.all.find(agent => sameAgent(url, agent.addressUrl))?.name ?? url;
