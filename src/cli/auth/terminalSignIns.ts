import { SignIns } from '../../auth/signIns/signIns.ts';
import { isSupported, signInPlan } from '../../auth/signIns/planOf.ts';
import type { SignInStore } from '../../auth/signInStore.ts';
import type { Http } from '../../client/http/http.ts';
import type { RequestAuthentication } from '../../client/http/requestAuthentication.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { certificatesOfWorkspace } from '../../model/agents/agentSettings.ts';
import { hasCertificate, tlsOptions } from '../terminal/tlsOptions.ts';
import { originsOf, type Terminal } from '../terminal/terminal.ts';
import { signInFile, signInPath } from './signInFile.ts';
import { isInEnvironment, secretsInEnvironment, terminalPrompts } from './terminalPrompts.ts';

/** The parts of a terminal that a sign-in needs. */
type Signing = Pick<Terminal, 'host' | 'output'> & { readonly http: Pick<Http, 'request'> };

/** The sign-ins that are kept for this user. */
export const keptSignIns = ({ host, output, http }: Signing): SignIns =>
  new SignIns({ http, store: signInFile(signInPath(host.env)), onSecret: secret => output.secrets.add(secret) });

/** A store in memory, for a command that signs in by itself and keeps nothing. */
function memoryStore(): SignInStore {
  let text: string | undefined;
  return {
    read: () => Promise.resolve(text),
    write: written => {
      text = written;
      return Promise.resolve();
    },
    exclusively: work => work(),
    onDidChange: () => () => {},
  };
}

/** @param certificates see `RequestedSignIn`; those of the command's agent where nothing is given */
type SignsIn = (url: string, identity?: string, of?: 'card' | 'request', certificates?: string) => RequestAuthentication;

const releaseTo =
  ({ agent, allowance }: Pick<Terminal, 'agent' | 'allowance'>) =>
  async (values: ReadonlyMap<string, string>, urls: readonly string[]): Promise<void> => {
    if (agent?.settings.ofWorkspace === true) await allowance.require([...values.keys()], urls, agent.name);
  };

/**
 * Signs requests in with what is kept for this user, else with what the environment has for the schemes of the agent's card: a program in
 * CI, for this one command.
 * @param cardOf the card of the agent at an address, once it is known
 * @param release called before values of the environment go to an agent and its authorization server. Rejects with a `Problem` where they
 * may not. Left out where the person has typed the address, or the settings of a folder have it: they say whether it may have them
 */
export function terminalAuthentication(
  terminal: Signing & Pick<Terminal, 'values' | 'signal' | 'agent' | 'allowance'>,
  cardOf: (url: string) => AgentCard | undefined,
  release: (values: ReadonlyMap<string, string>, urls: readonly string[]) => Promise<void> = releaseTo(terminal),
): SignsIn {
  const { host, output, http, values, signal, agent } = terminal;
  // TLS options of the command line replace those of the settings.
  const ofAgent = agent === undefined || tlsOptions(terminal) !== undefined ? undefined : certificatesOfWorkspace(agent.settings);
  const kept = keptSignIns(terminal);
  const own = new SignIns({ http, store: memoryStore(), onSecret: secret => output.secrets.add(secret) });
  const signing = new Map<string, Promise<boolean>>();
  /** Variables that sign-ins of the environment are made of, by the addresses of their agents. */
  const variables = new Map<string, readonly string[]>();
  /** Cards for which the environment has no values, looked up once: every request asks. */
  const without = new WeakSet<AgentCard>();
  /** True if the environment has the values that the card asks for. */
  const isSignedIn = (url: string): Promise<boolean> => {
    const known = signing.get(url);
    if (known !== undefined) return known;
    const card = cardOf(url);
    if (card === undefined || without.has(card)) return Promise.resolve(false);
    const plan = signInPlan(card);
    const option = plan.options.find(
      each =>
        isSupported(each) && each.steps.every(step => (step.kind === 'mtls' ? hasCertificate(values) : isInEnvironment(step, host.env))),
    );
    if (option === undefined) {
      without.add(card);
      return Promise.resolve(false);
    }
    const prompts = terminalPrompts(terminal, {
      allowed: new Set(originsOf(values)),
      device: false,
      certificate: hasCertificate(values),
      quiet: true,
    });
    const signIn = async (): Promise<boolean> => {
      const tokenUrls = option.steps.flatMap(({ scheme }) => scheme.oauth2SecurityScheme?.flows.clientCredentials?.tokenUrl ?? []);
      const secrets = secretsInEnvironment(option.steps, host.env);
      variables.set(url, [...secrets.keys()]);
      await release(secrets, [url, ...tokenUrls.filter(each => URL.canParse(each))]);
      await own.of(url).signIn({ plan, option, prompts, origins: originsOf(values), signal });
      return true;
    };
    const signed = signIn();
    signing.set(url, signed);
    return signed;
  };
  return (url, identity, of = 'request', certificates = ofAgent) => {
    const fromEnvironment = async (): Promise<boolean> =>
      identity === undefined && of !== 'card' && (await kept.state(url)).kind === 'none' && isSignedIn(url);
    const chosen = async (): Promise<RequestAuthentication> =>
      (await fromEnvironment()) ? own.of(url, undefined, of, certificates) : kept.of(url, identity, of, certificates);
    return {
      credentialsFor: async (target, stop) => {
        const credentials = await (await chosen()).credentialsFor(target, stop);
        for (const value of [...Object.values(credentials?.headers ?? {}), ...Object.values(credentials?.query ?? {})])
          output.secrets.add(value.replace(/^(?:Bearer|Basic)\s+/i, ''));
        return credentials !== undefined && (await fromEnvironment())
          ? { ...credentials, variables: variables.get(url) ?? [] }
          : credentials;
      },
      withheld: async target => (await chosen()).withheld?.(target),
      secrets: () => [...kept.secretsOf(url), ...own.secretsOf(url)],
      renew: async (since, stop) => (await chosen()).renew(since, stop),
    };
  };
}
