import * as vscode from 'vscode';
import type { SignInTrace } from '../../auth/doctor/signInTrace.ts';
import type { AskedAgent, ExplainedSignIn, ShownToken } from '../../auth/doctor/explainedSignIn.ts';
import type { SeenExchange, SignInReport } from '../../auth/doctor/signInReport.ts';
import type { SignInPlan } from '../../auth/signInPlan.ts';
import type { OAuthContext } from '../../auth/oauth/oauthFetch.ts';
import type { SignIns } from '../../auth/signIns/signIns.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { WantedConnection } from '../../model/agents/wantedConnection.ts';
import { A2AError } from '../../protocol/errors.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { Problem } from '../../protocol/problem.ts';
import { translate } from '../platform/report.ts';
import { escapeControls, oneLine } from '../platform/untrustedText.ts';
import { signInReportText } from './signInReportText.ts';

/** No agent has a task of this id: the request changes nothing. */
const noTask = 'a2a-workbench-explains-the-sign-in';

/** The part of the explanation that is loaded when it is asked for. */
export interface SignInDoctor {
  readonly trace: SignInTrace;
  /** The sign-ins of the person over connections that `trace` keeps. */
  readonly signIns: SignIns;
  /** @param given.requireOrigin called before each request for a document. Rejects with a `Problem` where it is not to be sent. */
  explain(given: Omit<ExplainedSignIn, 'context' | 'trace'> & Pick<OAuthContext, 'requireOrigin'>): Promise<SignInReport>;
  fetchedFrom(approved: readonly string[], agentUrl: string, ask: (origin: string) => Promise<boolean>): OAuthContext['requireOrigin'];
  seen(exchange: Exchange): SeenExchange;
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
  const choice = await chosen(title, before.kind === 'signedIn', before.kind === 'signedIn' && before.renews);
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
        ask: signedIn => ask(agent, signedIn ? {} : { identity: 'none', withoutCredentials: true }, doctor, signal),
        tokens: async () => {
          if (choice === 'signIn') await signIn(doctor, signal);
          const of = doctor.signIns.of(url, auth);
          const credentials =
            (await of.state()).kind === 'none' ? undefined : await of.credentialsFor(new URL(agent.chosen?.interface.url ?? url), signal);
          return tokenIn(credentials?.headers);
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

async function chosen(title: string, isSignedIn: boolean, renews: boolean): Promise<Choice | undefined> {
  const look = isSignedIn
    ? { label: vscode.l10n.t('Use Current Sign-In'), detail: vscode.l10n.t('Its token is examined and sent to the agent.') }
    : { label: vscode.l10n.t('Without Signing In'), detail: vscode.l10n.t('Only card, challenge and metadata are examined.') };
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
      detail: vscode.l10n.t('Authorization and token request are examined, too.'),
      choice: 'signIn' as const,
    },
  ];
  return (await vscode.window.showQuickPick(choices, { title, placeHolder: vscode.l10n.t('What should be tested?'), ignoreFocusOut: true }))
    ?.choice;
}

/** Asks the agent for a task that does not exist, or for its card where that is all that is known. */
async function ask(agent: Agent, wanted: WantedConnection, doctor: SignInDoctor, signal: AbortSignal): Promise<AskedAgent> {
  const seen = new Map<string, Exchange>();
  const log = { exchange: (exchange: Exchange) => void seen.set(exchange.id, exchange), frames: () => {} };
  let problem: Problem | undefined;
  let carried: boolean | undefined;
  try {
    if (agent.card === undefined) {
      await agent.check({ anew: true });
      ({ problem } = agent);
    } else {
      const client = await agent.connect({ wanted });
      carried = (await client.credentials()) !== undefined;
      await client.call('GetTask', { id: noTask }, { signal, log });
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (!(error instanceof A2AError)) problem = error;
  }
  return { problem, carried, exchanges: [...seen.values()].map(each => doctor.seen(each)) };
}

function tokenIn(headers: Readonly<Record<string, string>> = {}): ShownToken | undefined {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  const [tokenType, accessToken] = value?.split(' ') ?? [];
  return tokenType === undefined || accessToken === undefined ? undefined : { tokenType, accessToken, scopes: [] };
}
