import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { AgentCard, AgentSkill } from '../../protocol/card/agentCard.ts';
import type { CardView, ShownCardProblem, ShownSignature } from '../host/cardMessages.ts';
import { t } from '../text/strings.ts';
import { visibleIn, visible } from '../text/visible.ts';
import { Chips, Icon, Section } from './section.tsx';
import { Security } from './security.tsx';

type Reveal = (path: readonly (string | number)[]) => void;

/** The page of an agent card: description, signatures, interfaces, capabilities, skills and security. */
export function CardPage({
  view,
  reveal,
  revealProblem,
  trust,
}: {
  readonly view: ReadonlySignal<CardView | undefined>;
  readonly reveal: Reveal;
  readonly revealProblem: (offset: number) => void;
  readonly trust: () => void;
}): JSX.Element {
  const { card: own, current, form, signatures, problems = [], missing = [], schemes } = view.value ?? {};
  const card = visibleIn(own);
  if (card === undefined)
    return (
      <main class="empty">
        <p>{view.value === undefined ? '' : t('This is not an agent card yet.')}</p>
        {problems.length > 0 && <Problems of={problems} reveal={revealProblem} />}
      </main>
    );
  return (
    <main>
      <div role="status">
        {current === false && (
          <p class="stale">
            <Icon name="history" />
            {t('The text is not a complete card at the moment. The last complete version is shown.')}
          </p>
        )}
      </div>
      <header>
        <h1 dir="auto">{card.name || t('Unnamed agent')}</h1>
        <span class="chip">{card.version}</span>
        <span class="chip form">{t('A2A {0} card', form ?? '1.0')}</span>
        {card.provider !== undefined && (
          <p class="muted">
            {card.provider.organization} · {card.provider.url}
          </p>
        )}
        <p class="description" dir="auto">
          {card.description}
        </p>
      </header>
      {problems.length > 0 && <Problems of={problems} reveal={revealProblem} />}
      {signatures !== undefined && <Signatures of={signatures} trust={trust} />}
      <Interfaces card={card} reveal={reveal} />
      <Capabilities card={card} missing={missing} />
      <Section icon="mortar-board" title={t('Skills')}>
        {card.skills.length === 0 && <p class="muted">{t('None.')}</p>}
        <ul class="skills">
          {card.skills.map((skill, index) => (
            <Skill key={index} skill={skill} reveal={() => reveal(['skills', index])} />
          ))}
        </ul>
      </Section>
      <Security card={card} defined={schemes} />
      {card.documentationUrl !== undefined && (
        <Section icon="info" title={t('More')}>
          <dl>
            <dt>{t('Documentation')}</dt>
            <dd class="address">{card.documentationUrl}</dd>
          </dl>
        </Section>
      )}
    </main>
  );
}

function Interfaces({ card, reveal }: { readonly card: AgentCard; readonly reveal: Reveal }): JSX.Element {
  return (
    <Section icon="plug" title={t('Interfaces')}>
      {card.supportedInterfaces.length === 0 && <p class="muted">{t('None: this agent cannot be reached.')}</p>}
      <ol class="interfaces">
        {card.supportedInterfaces.map(({ url, protocolBinding, protocolVersion, tenant }, index) => (
          <li key={index}>
            <button type="button" title={t('Show in Text')} onClick={() => reveal(['supportedInterfaces', index])}>
              <span class="binding">
                {protocolBinding} {protocolVersion}
              </span>
              <span class="address">{url}</span>
              {tenant !== undefined && tenant !== '' && <span class="chip">{t('tenant {0}', tenant)}</span>}
              {index === 0 && card.supportedInterfaces.length > 1 && <span class="chip">{t('preferred')}</span>}
            </button>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Capabilities({ card, missing }: { readonly card: AgentCard; readonly missing: readonly string[] }): JSX.Element {
  const { streaming, pushNotifications, extendedAgentCard, extensions = [] } = card.capabilities;
  const rows: readonly (readonly [string, boolean | undefined])[] = [
    [t('Streaming'), streaming],
    [t('Push notifications'), pushNotifications],
    [t('Extended card'), extendedAgentCard],
  ];
  return (
    <Section icon="settings" title={t('Capabilities')}>
      <ul class="capabilities">
        {rows.map(([label, has]) => (
          <li key={label} class={has === true ? '' : 'muted'}>
            <Icon name={has === true ? 'check' : 'dash'} />
            {label}
            <span class="spoken">{has === true ? t('yes') : t('no')}</span>
          </li>
        ))}
      </ul>
      <dl>
        <dt>{t('Input')}</dt>
        <dd>
          <Modes of={card.defaultInputModes} declared={!missing.includes('defaultInputModes')} />
        </dd>
        <dt>{t('Output')}</dt>
        <dd>
          <Modes of={card.defaultOutputModes} declared={!missing.includes('defaultOutputModes')} />
        </dd>
        {extensions.length > 0 && <dt>{t('Extensions')}</dt>}
        {extensions.map(({ uri, required, description }) => (
          <dd key={uri}>
            <span class="address">{uri}</span> {required === true && <span class="chip">{t('required')}</span>}{' '}
            <span class="muted">{description}</span>
          </dd>
        ))}
      </dl>
    </Section>
  );
}

const Modes = ({ of, declared }: { readonly of: readonly string[]; readonly declared: boolean }): JSX.Element =>
  declared && of.length > 0 ? <Chips of={of} /> : <span class="muted">{t('Not in the card.')}</span>;

function Skill({ skill, reveal }: { readonly skill: AgentSkill; readonly reveal: () => void }): JSX.Element {
  const { id, name, description, tags, examples = [], inputModes, outputModes } = skill;
  return (
    <li>
      <h3>
        <button type="button" title={t('Show in Text')} onClick={reveal}>
          {name || id}
        </button>{' '}
        <code>{id}</code> <Chips of={tags} />
      </h3>
      <p dir="auto">{description}</p>
      {examples.length > 0 && (
        <ul class="examples">
          {examples.map(example => (
            <li key={example}>{example}</li>
          ))}
        </ul>
      )}
      {(inputModes !== undefined || outputModes !== undefined) && (
        <dl>
          {inputModes !== undefined && (
            <>
              <dt>{t('Input')}</dt>
              <dd>
                <Chips of={inputModes} />
              </dd>
            </>
          )}
          {outputModes !== undefined && (
            <>
              <dt>{t('Output')}</dt>
              <dd>
                <Chips of={outputModes} />
              </dd>
            </>
          )}
        </dl>
      )}
    </li>
  );
}

const icons: Readonly<Record<ShownCardProblem['severity'], string>> = { error: 'error', warning: 'warning', information: 'info' };

/** Problems of the card; each leads to its place in the text. */
function Problems({
  of: all,
  reveal,
}: {
  readonly of: readonly ShownCardProblem[];
  readonly reveal: (offset: number) => void;
}): JSX.Element {
  return (
    <Section icon="checklist" title={t('Problems')}>
      <ul class="problems">
        {all.map(({ severity, text, offset }, index) => (
          <li key={index} class={severity}>
            <button type="button" title={t('Show in Text')} onClick={() => reveal(offset)}>
              <Icon name={icons[severity]} />
              <span dir="auto">{visible(text)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const signatureIcons: Readonly<Record<ShownSignature['kind'], string>> = {
  good: 'verified-filled',
  warning: 'warning',
  bad: 'error',
  unknown: 'unverified',
};

/** The signers of the card, whether their signatures are valid, and what to do where that is unknown. */
function Signatures({ of: all, trust }: { readonly of: readonly ShownSignature[]; readonly trust: () => void }): JSX.Element {
  const offered = all.findIndex(({ canTrust }) => canTrust);
  return (
    <Section icon="key" title={t('Signatures')}>
      <ul class="signatures" role="status">
        {(visibleIn(all) ?? []).map(({ kind, text, notes }, index) => (
          <li key={index} class={kind}>
            <Icon name={signatureIcons[kind]} />
            <div>
              <p dir="auto">{text}</p>
              {notes.map(note => (
                <p key={note} class="muted" dir="auto">
                  {note}
                </p>
              ))}
              {index === offered && (
                <button type="button" class="action" onClick={trust}>
                  {t('Trust Signer…')}
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
