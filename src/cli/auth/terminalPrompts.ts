import { loopbackRedirects } from '../../auth/oauth/loopbackRedirects.ts';
import type { SignInStep } from '../../auth/signInPlan.ts';
import type { SignInPrompts, TypedValue } from '../../auth/signInPrompts.ts';
import type { RecipientUse, SignInRecipient } from '../../auth/signInRecipient.ts';
import { inTerminal, Problem, sentence } from '../../protocol/problem.ts';
import { secretVariable } from '../../request/template/variableNames.ts';
import { askUser, isYes, typeHidden } from '../terminal/ask.ts';
import { oneLine } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface TerminalPromptsOptions {
  /** Origins that the command line allows, as `URL.origin` writes them. */
  readonly allowed: ReadonlySet<string>;
  /** The person signs in on another device. */
  readonly device: boolean;
  /** The command line names a client certificate. */
  readonly certificate?: boolean;
  /** Takes values from the environment alone, without a question. */
  readonly quiet?: boolean;
}

/** The variable of the environment that has a value, such as `A2A_SECRET_CLIENT_ID`. */
const variableOf = ({ name }: Pick<TypedValue, 'name'>): string => secretVariable(name);

/** Prompts at the terminal for values that the environment does not have. */
export function terminalPrompts(
  terminal: Pick<Terminal, 'host' | 'output' | 'signal'>,
  { allowed, device, certificate = false, quiet = false }: TerminalPromptsOptions,
): SignInPrompts {
  const { output } = terminal;
  const { env } = terminal.host;
  const ask = quiet ? undefined : askUser(terminal);
  return {
    // What can be done with what the environment has comes first; otherwise the first that is supported.
    chooseOption: options => Promise.resolve(options.find(({ steps }) => steps.every(step => isInEnvironment(step, env))) ?? options[0]),
    chooseFlow: (_scheme, flows) => {
      if (device && flows.includes('deviceCode')) return Promise.resolve('deviceCode');
      const isProgram = env[variableOf({ name: 'client-secret' })] !== undefined;
      if (isProgram && flows.includes('clientCredentials')) return Promise.resolve('clientCredentials');
      return Promise.resolve(flows.find(flow => flow !== 'clientCredentials') ?? flows[0]);
    },
    type: async value => {
      const given = env[variableOf(value)];
      if (given !== undefined) {
        if (value.secret) output.secrets.add(given);
        return given;
      }
      if (value.optional === true && ask === undefined) return '';
      if (ask === undefined) throw missing(value);
      const question = `${inTerminal(value.title)} (${inTerminal(value.prompt)}):`;
      const typed = value.secret ? await typeHidden(question, terminal) : await ask(question);
      if (value.secret && typed !== undefined) output.secrets.add(typed);
      return typed;
    },
    approve: async (recipients, agent, token) => {
      if (recipients.every(({ origin }) => allowed.has(origin))) return true;
      const places = recipients.length > 1 ? `several servers: ${recipients.map(shown).join('; ')}` : recipients[0]?.origin;
      return ask !== undefined && isYes(ask, `The sign-in for ${agent} is at ${places}. ${inTerminal(token)} Send your credentials there?`);
    },
    certificate: () => {
      if (!certificate)
        throw new Problem('sign-in-certificate', sentence('The agent requires a client certificate.'), {
          nextStep: sentence('Name its files with --cert and --key, or with --pfx.'),
        });
      return Promise.resolve(true);
    },
    openBrowser: address => {
      if (quiet) throw new Problem('sign-in-person', sentence('This sign-in needs a person: run "a2a auth login" first.'));
      output.printError('Open this address in a browser on this machine:', address);
      return Promise.resolve(true);
    },
    showDeviceCode: ({ userCode, verificationUri }) => {
      output.printError(oneLine(`Enter the code ${userCode} at ${verificationUri} to sign in.`));
      return Promise.resolve();
    },
    redirects: () =>
      loopbackRedirects({
        language: 'en',
        done: 'You are signed in. You can close this tab and go back to the terminal.',
        failed: 'The sign-in failed. You can close this tab; the terminal says why.',
      }),
  };
}

/** The purpose of each address of a sign-in. */
const useWords: Readonly<Record<RecipientUse, string>> = {
  page: 'you sign in there',
  device: 'it receives the client secret and names the page where you sign in',
  registration: 'it registers the client',
  token: 'it gets the code, the client secret and the refresh token, and issues the tokens',
  account: 'it gets the access token and says who you are',
  revocation: 'it gets the tokens and the client secret when you sign out',
};

const shown = ({ origin, uses }: SignInRecipient): string => `${origin} (${uses.map(use => useWords[use]).join(', ')})`;

/** The values that a program needs for a scheme, the secret at the end. */
const wanted: Readonly<Record<SignInStep['kind'], readonly TypedValue['name'][]>> = {
  apiKey: ['key'],
  basic: ['user', 'password'],
  bearer: ['token'],
  http: ['token'],
  oauth2: ['client-id', 'client-secret'],
  openIdConnect: ['client-id', 'client-secret'],
  mtls: [],
};

/** True if the environment has the values that a scheme needs. */
export function isInEnvironment({ kind, flows }: SignInStep, env: NodeJS.ProcessEnv): boolean {
  const isForPrograms = !['oauth2', 'openIdConnect'].includes(kind) || flows.includes('clientCredentials');
  return isForPrograms && wanted[kind].every(name => env[variableOf({ name })] !== undefined);
}

/** The secrets for schemes, by the names of their variables. */
export const secretsInEnvironment = (steps: readonly SignInStep[], env: NodeJS.ProcessEnv): ReadonlyMap<string, string> =>
  new Map(
    steps.flatMap(({ kind }): (readonly [string, string])[] => {
      const name = wanted[kind].at(-1);
      const variable = name === undefined ? undefined : variableOf({ name });
      const value = variable === undefined ? undefined : env[variable];
      return variable === undefined || value === undefined ? [] : [[variable, value]];
    }),
  );

const missing = (value: TypedValue): Problem =>
  new Problem('sign-in-value', sentence('{0} is needed, and there is no terminal to ask in.', value.title), {
    nextStep: sentence('Set the environment variable {0}.', variableOf(value)),
  });
