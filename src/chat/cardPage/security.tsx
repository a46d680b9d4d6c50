import type { JSX } from 'preact';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { SecurityRequirement, SecurityScheme } from '../../protocol/card/securityScheme.ts';
import { localizedList, t } from '../text/strings.ts';
import { Section } from './section.tsx';

/** The security requirements of a request as a sentence, and the schemes that they name. */
export function Security({ card, defined }: { readonly card: AgentCard; readonly defined: readonly string[] | undefined }): JSX.Element {
  const read = card.securitySchemes ?? {};
  const schemes = (defined ?? Object.keys(read)).map(name => [name, Object.hasOwn(read, name) ? read[name]! : {}] as const);
  const requirements = card.securityRequirements ?? [];
  return (
    <Section icon="lock" title={t('Security')}>
      {requirements.length === 0 ? (
        <p class="muted">{schemes.length === 0 ? t('Anyone may send requests.') : t('No request needs a credential.')}</p>
      ) : (
        <p>{t('A request needs {0}.', requirements.map(named).join(` ${t('or')} `))}</p>
      )}
      {schemes.length > 0 && (
        <dl>
          {schemes.map(([name, scheme]) => (
            <>
              <dt key={name}>
                <code>{name}</code>
              </dt>
              <dd dir="auto">{described(scheme)}</dd>
            </>
          ))}
        </dl>
      )}
    </Section>
  );
}

const named = ({ schemes }: SecurityRequirement): string =>
  Object.entries(schemes)
    .map(([name, { list = [] }]) => (list.length === 0 ? name : t('{0} ({1})', name, localizedList(list))))
    .join(` ${t('and')} `) || t('nothing');

function described({
  apiKeySecurityScheme: key,
  httpAuthSecurityScheme: http,
  oauth2SecurityScheme: oauth,
  openIdConnectSecurityScheme: oidc,
  mtlsSecurityScheme: mtls,
}: SecurityScheme): string {
  const about = (kind: string, { description = '' }: { readonly description?: string | undefined }): string =>
    description === '' ? kind : t('{0}. {1}', kind, description);
  if (key !== undefined) {
    const places = { header: t('header'), query: t('query parameter'), cookie: t('cookie') };
    return about(t('API key in the {0} {1}', places[key.location], key.name), key);
  }
  if (http !== undefined) return about(t('HTTP {0}', [http.scheme, http.bearerFormat].filter(Boolean).join(' ')), http);
  if (oauth !== undefined) return about(t('OAuth 2.0: {0}', localizedList(Object.keys(oauth.flows))), oauth);
  if (oidc !== undefined) return about(t('OpenID Connect: {0}', oidc.openIdConnectUrl), oidc);
  return mtls === undefined ? t('of an unknown kind') : about(t('Mutual TLS'), mtls);
}
