import type { LocalizedMessage } from '../protocol/problem.ts';
import type { OAuthFlow, SignInOption } from './signInPlan.ts';
import type { SignInRecipient } from './signInRecipient.ts';

/** Value for the person to type. */
export interface TypedValue {
  /** Which value it is, for programs that take it from elsewhere. */
  readonly name: 'client-id' | 'client-secret' | 'user' | 'password' | 'token' | 'key';
  readonly title: LocalizedMessage;
  readonly prompt: LocalizedMessage;
  /** Description of the scheme in the card. */
  readonly description?: string | undefined;
  /** Not shown while it is typed. */
  readonly secret: boolean;
  /** Value of an earlier sign-in; never for secrets. */
  readonly suggested?: string;
  /** Nothing may be typed. */
  readonly optional?: boolean;
}

/** Code that a device shows so that the person signs in elsewhere (RFC 8628 §3.2). */
interface DeviceCode {
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Receiver of the redirect from the authorization server. */
export interface RedirectReceiver {
  /** `redirect_uri`, as it is registered and sent. */
  readonly uri: string;
  /** The parameters of the one answer with this `state`. Rejects with a `Problem` when the signal aborts or after ten minutes. */
  received(state: string, signal: AbortSignal): Promise<URL>;
  close(): Promise<void>;
}

/** Questions of a sign-in to the person. `undefined` and false are a cancellation. */
export interface SignInPrompts {
  /** @param unsupported those that cannot be chosen, so that the person knows why they are not among the others */
  chooseOption(options: readonly SignInOption[], unsupported: readonly SignInOption[]): Promise<SignInOption | undefined>;
  chooseFlow(scheme: string, flows: readonly OAuthFlow[]): Promise<OAuthFlow | undefined>;
  type(value: TypedValue): Promise<string | undefined>;
  /**
   * Asks whether a sign-in may be at these origins. One alone is neither the agent's nor approved for it before; of several, each is named,
   * the agent's own too: a server that the person knows says nothing of those beside it.
   * @param agent its origin
   * @param token which scopes are asked for, and who gets the token
   */
  approve(recipients: readonly SignInRecipient[], agent: string, token: LocalizedMessage): Promise<boolean>;
  /** Resolves to true once the agent's connections have a client certificate. Rejects with a `Problem` where there is none. */
  certificate(scheme: string): Promise<boolean>;
  /** Shows the address to the person where no browser can be opened. */
  openBrowser(url: string): Promise<boolean>;
  /** Resolves once the code is shown; it is taken away when the signal aborts, which it does when the person is signed in. */
  showDeviceCode(code: DeviceCode, signal: AbortSignal): Promise<void>;
  redirects(): Promise<RedirectReceiver>;
}
