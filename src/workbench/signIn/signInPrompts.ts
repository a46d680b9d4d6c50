import * as vscode from 'vscode';
import type { SignInOption, OAuthFlow, SignInStep } from '../../auth/signInPlan.ts';
import type { RedirectReceiver, SignInPrompts } from '../../auth/signInPrompts.ts';
import type { RecipientUse, SignInRecipient } from '../../auth/signInRecipient.ts';
import { type LocalizedMessage, Problem, sentence } from '../../protocol/problem.ts';
import { inARow, translatedList, translate } from '../platform/report.ts';
import { escapeIcons, escapeLinks, oneLine, shortTitle } from '../platform/untrustedText.ts';
import { uriHandlerRedirects } from './uriHandlerRedirects.ts';

/** Text of the page that a browser shows when it comes back. */
export interface RedirectPageText {
  readonly language: string;
  readonly done: string;
  readonly failed: string;
}

/** Longest part of a scheme's description that is shown, in characters. */
const maxDescription = 300;

/** Command of VS Code that gives the focus to the quick pick or input box that is open. */
export const focusInput = 'workbench.action.focusQuickOpen';

/** Shows an input box and gives it the focus: a quick pick that closes meanwhile may return it to where it was, such as a chat. */
export function showFocusedInput(options: vscode.InputBoxOptions): Thenable<string | undefined> {
  const typed = vscode.window.showInputBox(options);
  void vscode.commands.executeCommand(focusInput);
  return typed;
}

/** Asks the person by quick picks and input boxes, all under one title. */
export function signInPrompts(
  title: string,
  {
    loopback,
    certificate,
  }: { readonly loopback: (page: RedirectPageText) => Promise<RedirectReceiver>; readonly certificate: SignInPrompts['certificate'] },
): SignInPrompts {
  return {
    chooseOption: (options, unsupported) => chooseOption(title, options, unsupported),
    chooseFlow: async (_scheme, flows) =>
      (
        await vscode.window.showQuickPick(
          flows.map(flow => ({ ...flowLabel(flow), flow })),
          { title, placeHolder: vscode.l10n.t('How do you want to sign in?'), ignoreFocusOut: true },
        )
      )?.flow,
    type: async ({ title: what, prompt, description = '', secret, suggested, optional }) =>
      showFocusedInput({
        title: vscode.l10n.t('{0}: {1}', title, translate(what)),
        prompt: escapeLinks(oneLine(inARow(translate(prompt), description.slice(0, maxDescription)))),
        password: secret,
        ignoreFocusOut: true,
        ...(suggested !== undefined && { value: suggested }),
        validateInput: text =>
          text.trim() === '' && optional !== true ? vscode.l10n.t('Enter a value, or press Escape to cancel.') : undefined,
      }),
    approve,
    certificate,
    // A text: an address made a `Uri` would lose how its parameters are encoded.
    openBrowser: address => Promise.resolve(vscode.env.openExternal(address as unknown as vscode.Uri)),
    showDeviceCode: async ({ userCode, verificationUri, verificationUriComplete }, signal) => {
      const open = vscode.l10n.t('Copy Code and Open');
      const choice = vscode.window.showInformationMessage(
        escapeLinks(vscode.l10n.t('Enter the code {0} at {1} to sign in.', oneLine(userCode), oneLine(verificationUri))),
        open,
      );
      void choice.then(async chosen => {
        if (chosen !== open || signal.aborted) return;
        await vscode.env.clipboard.writeText(userCode);
        const address = verificationUriComplete ?? verificationUri;
        if (/^https?:/i.test(address)) await vscode.env.openExternal(address as unknown as vscode.Uri);
      });
    },
    redirects: () => {
      // The browser of a window elsewhere does not reach this machine's loopback.
      const isElsewhere = vscode.env.remoteName !== undefined || vscode.env.uiKind === vscode.UIKind.Web;
      if (isElsewhere) return uriHandlerRedirects();
      return loopback({
        language: vscode.env.language,
        done: vscode.l10n.t('You are signed in. You can close this tab and go back to the editor.'),
        failed: vscode.l10n.t('The sign-in failed. You can close this tab; the editor says why.'),
      });
    },
  };
}

/** Asks for one of the options. Rejects with a `Problem` that has the reason if an unsupported one is chosen. */
async function chooseOption(
  title: string,
  options: readonly SignInOption[],
  unsupported: readonly SignInOption[],
): Promise<SignInOption | undefined> {
  const choice = await vscode.window.showQuickPick(
    [
      ...options.map(option => ({
        label: optionLabel(option),
        detail: escapeIcons([...option.steps.map(stepDetail), skillsDetail(option)].filter(Boolean).join(' · ')),
        option,
        reason: undefined,
      })),
      ...unsupported.map(option => {
        const reason = option.steps.find(step => step.unsupported !== undefined)?.unsupported;
        return {
          label: `$(circle-slash) ${optionLabel(option)}`,
          detail: escapeIcons(oneLine(reason === undefined ? '' : translate(reason))),
          option: undefined,
          reason,
        };
      }),
    ],
    { title, placeHolder: vscode.l10n.t('How do you want to sign in?'), ignoreFocusOut: true },
  );
  if (choice?.reason !== undefined) throw new Problem('sign-in-unsupported', choice.reason);
  return choice?.option;
}

/** Asks whether the person's credentials may go to all recipients. */
async function approve(recipients: readonly SignInRecipient[], agent: string, token: LocalizedMessage): Promise<boolean> {
  const allow = vscode.l10n.t('Allow');
  const answer = await vscode.window.showWarningMessage(
    escapeLinks(vscode.l10n.t('Sign in to {0} at {1}?', agent, translatedList(recipients.map(({ origin }) => origin)))),
    {
      modal: true,
      detail: [translate(token), ...(recipients.length > 1 ? togetherDetails(recipients) : [aloneDetail()])].map(escapeLinks).join('\n\n'),
    },
    allow,
  );
  return answer === allow;
}

const aloneDetail = (): string =>
  vscode.l10n.t(
    'The agent card names this address for the sign-in. Your credentials for the agent are sent there. Allow it only if you know it.',
  );

/** Each address with what it gets: a familiar one may stand beside a stranger's. */
const togetherDetails = (recipients: readonly SignInRecipient[]): readonly string[] => [
  ...recipients.map(({ origin, uses }) => vscode.l10n.t('{0}: {1}', origin, uses.map(useWords).join(vscode.l10n.t('; ')))),
  vscode.l10n.t('This sign-in uses several servers. Allow it only if you know all of these addresses, and that they belong together.'),
];

function useWords(use: RecipientUse): string {
  switch (use) {
    case 'page':
      return vscode.l10n.t('you sign in there');
    case 'device':
      return vscode.l10n.t('receives the client secret, and names the page where you sign in');
    case 'registration':
      return vscode.l10n.t('registers the client');
    case 'token':
      return vscode.l10n.t('gets the code, the client secret and the refresh token, and issues the tokens');
    case 'account':
      return vscode.l10n.t('gets the access token, and says who you are');
    case 'revocation':
      return vscode.l10n.t('gets the tokens and the client secret when you sign out');
  }
}

/** Options for an agent that does not declare how to sign in. */
export const usualOptions = (): readonly SignInOption[] => [
  { steps: [{ name: 'Bearer', kind: 'bearer', scheme: { httpAuthSecurityScheme: { scheme: 'Bearer' } }, scopes: [], flows: [] }] },
  { steps: [{ name: 'Basic', kind: 'basic', scheme: { httpAuthSecurityScheme: { scheme: 'Basic' } }, scopes: [], flows: [] }] },
  {
    steps: [
      {
        name: 'X-API-Key',
        kind: 'apiKey',
        scheme: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
        scopes: [],
        flows: [],
      },
    ],
  },
];

/** Option for an agent whose server requires a client certificate. */
export const certificateOption = (): SignInOption => ({
  steps: [{ name: 'TLS', kind: 'mtls', scheme: { mtlsSecurityScheme: {} }, scopes: [], flows: [] }],
});

export const canceled = (): Problem => new Problem('sign-in-canceled', sentence('The sign-in was canceled.'));

const optionLabel = ({ steps }: SignInOption): string => escapeIcons(steps.map(stepLabel).join(' + '));

/** Label of a scheme. */
function stepLabel({ kind, name, scheme }: SignInStep): string {
  switch (kind) {
    case 'apiKey':
      return vscode.l10n.t('API key ({0})', name);
    case 'basic':
      return vscode.l10n.t('User name and password ({0})', name);
    case 'bearer':
      return vscode.l10n.t('Token ({0})', name);
    case 'http':
      return `${scheme.httpAuthSecurityScheme?.scheme ?? name} (${name})`;
    case 'oauth2':
      return `OAuth 2.0 (${name})`;
    case 'openIdConnect':
      return `OpenID Connect (${name})`;
    case 'mtls':
      return vscode.l10n.t('Client certificate ({0})', name);
  }
}

const skillsDetail = ({ skills = [] }: SignInOption): string =>
  skills.length === 0 ? '' : vscode.l10n.t('Also for: {0}', shortTitle(translatedList(skills.map(oneLine))));

const stepDetail = ({ scheme, scopes }: SignInStep): string =>
  [
    ...Object.values(scheme).map(each => (typeof each === 'object' && 'description' in each ? (each.description ?? '') : '')),
    scopes.join(' '),
  ]
    .filter(Boolean)
    .map(oneLine)
    .join(' · ');

function flowLabel(flow: OAuthFlow): { readonly label: string; readonly detail: string } {
  switch (flow) {
    case 'authorizationCode':
      return { label: vscode.l10n.t('In the Browser'), detail: vscode.l10n.t('Authorization code with PKCE') };
    case 'deviceCode':
      return { label: vscode.l10n.t('On Another Device'), detail: vscode.l10n.t('A code that you enter in any browser (device code)') };
    case 'clientCredentials':
      return { label: vscode.l10n.t('As a Program'), detail: vscode.l10n.t('Client id and client secret (client credentials)') };
  }
}
