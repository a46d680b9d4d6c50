import * as vscode from 'vscode';
import type { askAgent } from '../../auth/doctor/askAgent.ts';
import type { SignInTrace } from '../../auth/doctor/signInTrace.ts';
import type { ExplainedSignIn, tokenIn } from '../../auth/doctor/explainedSignIn.ts';
import type { SignInReport } from '../../auth/doctor/signInReport.ts';
import type { SignInPlan } from '../../auth/signInPlan.ts';
import type { OAuthContext } from '../../auth/oauth/oauthFetch.ts';
import type { SignIns } from '../../auth/signIns/signIns.ts';
import type { AgentClient } from '../../client/agentClient.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { WantedConnection } from '../../model/agents/wantedConnection.ts';
import { translate } from '../platform/report.ts';
import { escapeControls, oneLine } from '../platform/untrustedText.ts';
import { signInReportText } from './signInReportText.ts';

/** The part of the explanation that is loaded when it is asked for. */
export interface SignInDoctor {
  readonly trace: SignInTrace;
  /** The sign-ins of the person over connections that `trace` keeps. */
  readonly signIns: SignIns;
  /** @param given.requireOrigin called before each request for a document. Rejects with a `Problem` where it is not to be sent. */
  explain(given: Omit<ExplainedSignIn, 'context' | 'trace'> & Pick<OAuthContext, 'requireOrigin'>): Promise<SignInReport>;
  fetchedFrom(approved: readonly string[], agentUrl: string, ask: (origin: string) => Promise<boolean>): OAuthContext['requireOrigin'];
  readonly askAgent: typeof askAgent;
  readonly tokenIn: typeof tokenIn;
}

/** Goes through the sign-in at an agent step by step and shows that as a text. */
export async function explainSignIn(
  agent: Agent,
  {
    load,
    plan,
    signIn,
    show,
  }: {
    readonly load: () => Promise<SignInDoctor>;
    readonly plan: (agent: Agent) => Promise<SignInPlan>;
    /** Signs in over the connections of the doctor. Rejects with a `Problem`. */
    readonly signIn: (doctor: SignInDoctor, signal: AbortSignal) => Promise<void>;
    readonly show: (text: string) => Promise<void>;
  },
): Promise<void> {
  const title = vscode.l10n.t('Explain Sign-In to "{0}"', oneLine(agent.name));
  const doctor = await load();
  const url = new URL(agent.addressUrl).href;
  const { auth } = agent.settings;
  const before = await doctor.signIns.state(url, auth);
  const { options } = await plan(agent);
  const hasTokens =
    agent.card === undefined || options.some(({ steps }) => steps.some(({ kind }) => kind === 'oauth2' || kind === 'openIdConnect'));
  const choice = await chosen(title, {
    isSignedIn: before.kind === 'signedIn',
    renews: before.kind === 'signedIn' && before.renews,
    hasTokens,
  });
  if (choice === undefined) return;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      const { signal } = stop;
      await agent.check();
      const approved = [...agent.approvedOrigins, ...(await doctor.signIns.servers(url))];
      const report = await doctor.explain({
        agentUrl: url,
        card: agent.card,
        plan: await plan(agent),
        requireOrigin: doctor.fetchedFrom(approved, url, origin => mayFetch(agent, origin)),
        ask: signedIn => doctor.askAgent(() => connect(agent, signedIn ? {} : { identity: 'none', withoutCredentials: true }), signal),
        tokens: async () => {
          if (choice === 'signIn') await signIn(doctor, signal);
          const of = doctor.signIns.of(url, auth);
          const credentials =
            (await of.state()).kind === 'none' ? undefined : await of.credentialsFor(new URL(agent.chosen?.interface.url ?? url), signal);
          return doctor.tokenIn(credentials?.headers);
        },
        ...(choice === 'renew' && { refresh: () => doctor.signIns.of(url, auth).renewNow(signal) }),
        now: Date.now,
      });
      if (signal.aborted) return;
      await show(escapeControls(signInReportText(report, translate)));
    },
  );
}

/** The documents that an agent names may be at any address, also of a network that only this machine reaches. */
async function mayFetch(agent: Agent, origin: string): Promise<boolean> {
  const fetch = vscode.l10n.t('Fetch');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Fetch documents about the sign-in to "{0}" from {1}?', oneLine(agent.name), oneLine(origin)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The agent or its card names this address. None of your credentials are sent there. Allow it only if you know it; without it, the explanation continues with the known facts.',
      ),
    },
    fetch,
  );
  return answer === fetch;
}

type Choice = 'look' | 'signIn' | 'renew';

/** `hasTokens`: the card is unknown, or asks for OAuth 2.0 or OpenID Connect, so that there are tokens and metadata to examine. */
async function chosen(
  title: string,
  { isSignedIn, renews, hasTokens }: { readonly isSignedIn: boolean; readonly renews: boolean; readonly hasTokens: boolean },
): Promise<Choice | undefined> {
  const look = isSignedIn
    ? {
        label: vscode.l10n.t('Use Current Sign-In'),
        detail: hasTokens
          ? vscode.l10n.t('Its token is examined and sent to the agent.')
          : vscode.l10n.t('Its credential is sent to the agent.'),
      }
    : {
        label: vscode.l10n.t('Without Signing In'),
        detail: hasTokens
          ? vscode.l10n.t('Only card, challenge and metadata are examined.')
          : vscode.l10n.t('Only the card and the refusal of the agent are examined.'),
      };
  const choices = [
    { ...look, choice: 'look' as const },
    ...(renews
      ? [
          {
            label: vscode.l10n.t('Use Current Sign-In and Renew It'),
            detail: vscode.l10n.t('If the authorization server refuses that, you sign in again.'),
            choice: 'renew' as const,
          },
        ]
      : []),
    {
      label: isSignedIn ? vscode.l10n.t('Sign In Again') : vscode.l10n.t('Sign In'),
      detail: hasTokens
        ? vscode.l10n.t('Authorization and token request are examined, too.')
        : vscode.l10n.t('You enter the credential, and it is sent to the agent.'),
      choice: 'signIn' as const,
    },
  ];
  return (await vscode.window.showQuickPick(choices, { title, placeHolder: vscode.l10n.t('What should be tested?'), ignoreFocusOut: true }))
    ?.choice;
}

/** The client; undefined where there is no card, which is requested once more then. */
async function connect(agent: Agent, wanted: WantedConnection): Promise<AgentClient | undefined> {
  if (agent.card !== undefined) return agent.connect({ wanted });
  await agent.check({ anew: true });
  if (agent.problem !== undefined) throw agent.problem;
  return undefined;
}
