import { shownDate } from '../../auth/doctor/claimFacts.ts';
import { signInPlan } from '../../auth/signIns/planOf.ts';
import type { ListedSignIn } from '../../auth/signIns/signIns.ts';
import type { SignInState } from '../../auth/signInState.ts';
import { parseAddress } from '../../client/card/agentAddress.ts';
import { offeredInterfaces } from '../../client/interfaces/offeredInterface.ts';
import { Problem, sentence, inTerminal } from '../../protocol/problem.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { quoted } from '../terminal/output.ts';
import { hasCertificate } from '../terminal/tlsOptions.ts';
import { originsOf, resolve, type Terminal } from '../terminal/terminal.ts';
import { exitStatus } from '../terminal/usage.ts';
import { terminalPrompts } from './terminalPrompts.ts';
import { keptSignIns } from './terminalSignIns.ts';

/** `a2a auth login URL`: signs in as the agent card asks, and keeps the sign-in. */
export async function login(terminal: Terminal, [given = '']: readonly string[]): Promise<number> {
  const { output, values, signal } = terminal;
  const url = parseAddress(given).href;
  const { card, cardUrl = url, challenge } = await cardOrChallenge(terminal, given);
  const plan = signInPlan(card ?? {}, challenge);
  if (plan.options.length === 0)
    throw new Problem('sign-in-none', sentence('Neither the card of the agent nor its answer asks for a sign-in.'), {
      nextStep: sentence("Set the credentials that the agent requires with --header 'Name: value'."),
    });
  if (terminal.agent !== undefined) await terminal.allowance.requireSignIn(url, terminal.agent.name);
  const allowed = new Set(originsOf(values));
  const signIns = keptSignIns(terminal);
  await signIns.of(url).signIn({
    plan,
    challenge,
    prompts: terminalPrompts(terminal, { allowed, device: values.device === true, certificate: hasCertificate(values) }),
    origins: [...allowed],
    ...(values.identity !== undefined && { identity: values.identity }),
    ...(card === undefined && { card: true }),
    signal,
  });
  const state = await signIns.state(url);
  if (values.json) output.printValue({ url, ...state });
  else output.print(quoted(`Signed in to ${url}: ${words(state)}`));
  if (card !== undefined) {
    const signIn = signIns.of(url, values.identity);
    const withheld = await Promise.all(interfaceUrls(card, cardUrl).map(target => signIn.withheld(target)));
    const lines = withheld.flatMap(each => (each === undefined ? [] : [`${inTerminal(each.what)} ${inTerminal(each.nextStep)}`]));
    for (const line of new Set(lines)) output.printError(quoted(line));
  }
  return exitStatus.fine;
}

/** Most interfaces of a card that are looked at. */
const maxInterfaces = 20;

const interfaceUrls = (card: AgentCard, cardUrl: string): readonly URL[] =>
  offeredInterfaces(card, cardUrl)
    .filter(({ isSupported }) => isSupported)
    .slice(0, maxInterfaces)
    .map(({ interface: { url } }) => new URL(url));

/** `a2a auth logout URL`: deletes a sign-in, and revokes it at the authorization server. */
export async function logout(terminal: Terminal, [given = '']: readonly string[]): Promise<number> {
  const { output, values } = terminal;
  const url = parseAddress(given).href;
  const signIns = keptSignIns(terminal);
  if ((await signIns.state(url, values.identity)).kind === 'none') {
    output.printError(quoted(`You are not signed in to ${url}.`));
    return exitStatus.fine;
  }
  const failure = await signIns.signOut(url, values.identity);
  output.print(quoted(`Signed out of ${url}.`));
  if (failure !== undefined)
    output.printError(
      `The authorization server was not notified: ${failure instanceof Problem ? inTerminal(failure.sentence) : String(failure)}`,
    );
  return exitStatus.fine;
}

/** `a2a auth status [URL]`: lists the sign-ins that are kept; 1 where there are none. */
export async function status(terminal: Terminal, [given]: readonly string[]): Promise<number> {
  const { output, values } = terminal;
  const url = given === undefined ? undefined : parseAddress(given).href;
  const all = await keptSignIns(terminal).list();
  const listed = all.filter(each => url === undefined || each.url.replace(/\/+$/, '') === url.replace(/\/+$/, ''));
  for (const each of listed) {
    if (values.json) output.printValue(plain(each));
    else output.print(quoted(`${each.url} (${each.identity}): ${words(each.state)}`));
  }
  if (listed.length === 0)
    output.printError(url === undefined ? 'You are not signed in to any agent.' : quoted(`You are not signed in to ${url}.`));
  return listed.some(({ state }) => state.kind === 'signedIn') ? exitStatus.fine : exitStatus.taskFailed;
}

const plain = ({ url, identity, state }: ListedSignIn): object => ({ url, identity, ...state });

function words(state: SignInState): string {
  if (state.kind === 'none') return 'not signed in';
  const who = state.account === undefined ? '' : ` as ${state.account}`;
  if (state.kind === 'expired') return `expired${who}; sign in again`;
  const end = state.expiresAt === undefined ? '' : `, token until ${shownDate(state.expiresAt)}${state.renews ? ', then renewed' : ''}`;
  return `signed in${who}${end}`;
}

/** The card, or the challenge of an agent that requires credentials for its card. */
async function cardOrChallenge(
  terminal: Terminal,
  url: string,
): Promise<{ readonly card?: AgentCard; readonly cardUrl?: string; readonly challenge?: string | undefined }> {
  try {
    const { card, cardUrl } = await resolve(terminal, url);
    return { card, cardUrl };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'unauthorized') throw error;
    return { challenge: 'challenge' in error && typeof error.challenge === 'string' ? error.challenge : undefined };
  }
}
