import * as vscode from 'vscode';
import type { OAuthFlow, SignInOption, SignInStep } from '../../auth/signInPlan.ts';
import { escapeIcons, oneLine, shortTitle } from '../platform/untrustedText.ts';
import { translatedList } from '../platform/report.ts';

export const optionLabel = ({ steps }: SignInOption): string => escapeIcons(steps.map(stepLabel).join(' + '));

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

export const skillsDetail = ({ skills = [] }: SignInOption): string =>
  skills.length === 0 ? '' : vscode.l10n.t('Also for: {0}', shortTitle(translatedList(skills.map(oneLine))));

export const stepDetail = ({ scheme, scopes }: SignInStep): string =>
  [
    ...Object.values(scheme).map(each => (typeof each === 'object' && 'description' in each ? (each.description ?? '') : '')),
    scopes.join(' '),
  ]
    .filter(Boolean)
    .map(oneLine)
    .join(' · ');

export function flowLabel(flow: OAuthFlow): { readonly label: string; readonly detail: string } {
  switch (flow) {
    case 'authorizationCode':
      return { label: vscode.l10n.t('In the Browser'), detail: vscode.l10n.t('Authorization code with PKCE') };
    case 'deviceCode':
      return { label: vscode.l10n.t('On Another Device'), detail: vscode.l10n.t('A code that you enter in any browser (device code)') };
    case 'clientCredentials':
      return { label: vscode.l10n.t('As a Program'), detail: vscode.l10n.t('Client id and client secret (client credentials)') };
  }
}
