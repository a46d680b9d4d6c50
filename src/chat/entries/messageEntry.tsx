import type { JSX } from 'preact';
import { assistantSentence } from '../../protocol/message/assistantSentence.ts';
import type { Delivery, MessageEntry } from '../../protocol/message/transcript.ts';
import { Icon, IconButton, TextButton } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import { ReferenceChip } from '../compose/referenceChips.tsx';
import { referencesOf } from '../transcript/references.ts';
import { deliveryWords } from '../text/deliveryWords.ts';
import { shownPart } from '../text/shownPart.ts';
import { localized, t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import type { EntryView } from '../transcript/transcript.ts';
import { EntryTime, TimeSince } from './entryTime.tsx';
import { Parts } from './parts.tsx';
import { Tools } from './tools.tsx';
import { useState } from 'preact/hooks';
import type { DeliveryCheckResult } from '../host/messages.ts';

export function MessageRow({ view, entry }: { readonly view: EntryView; readonly entry: MessageEntry }): JSX.Element {
  const { transcript } = usePanel();
  if (entry.message.role !== 'ROLE_USER') return <Parts view={view} finished />;
  if (transcript.isSentAgain(entry.seq))
    return (
      <div class="delivery">
        {deliveryWords(entry)} · {t('Sent again below')}
      </div>
    );
  const references = referencesOf(entry.message);
  const delivery = (
    <>
      <Tools view={view}>
        <WriteAnew seq={entry.seq} />
        <RunAgain seq={entry.seq} />
      </Tools>
      {entry.delivery === undefined && <span>{t("in the agent's history, not sent from here")}</span>}
      {entry.assistant !== undefined && <span>{localized(assistantSentence(entry.assistant, name => visibleName(name)))}</span>}
      {entry.delivery !== undefined && (
        <span class={`delivery-${entry.delivery}`}>
          <Icon name={icons[entry.delivery]} spin={entry.delivery === 'sending'} /> {deliveryWords(entry)}
        </span>
      )}
      {entry.delivery === 'sending' && !entry.untimed ? (
        <TimeSince at={entry.at} />
      ) : (
        // The time of what only the agent's history has is not known.
        entry.delivery !== undefined && <EntryTime entry={entry} />
      )}
    </>
  );
  return (
    <>
      {references.length > 0 && (
        <div class="chips" role="group" aria-label={t('The message refers to')}>
          {references.map((reference, index) => (
            <ReferenceChip key={index} reference={reference} />
          ))}
        </div>
      )}
      <div class="bubble">
        {view.parts.length === 0 && <span class="muted">{t('Empty message')}</span>}
        {view.parts.every(part => part.kind === 'text') ? <PlainText view={view} /> : <Parts view={view} finished />}
      </div>
      {entry.delivery === 'refused' || entry.delivery === 'unknown' ? (
        <UncertainDelivery seq={entry.seq} uncertain={entry.delivery === 'unknown'} forTask={entry.taskId !== undefined}>
          {delivery}
        </UncertainDelivery>
      ) : (
        <div class="delivery">{delivery}</div>
      )}
    </>
  );
}

function PlainText({ view }: { readonly view: EntryView }): JSX.Element {
  const { text, cut } = shownPart(view.parts.map(part => (part.kind === 'text' ? part.text.toString() : '')).join('\n'), true);
  return (
    <>
      <div class="plain" dir="auto">
        {text}
      </div>
      {(cut || view.parts.some(part => part.cut !== undefined)) && (
        <div class="note">{t('This is long: only a part is shown here. The exchange has all of it.')}</div>
      )}
    </>
  );
}

const icons: Readonly<Record<Delivery, string>> = { sending: 'loading', sent: 'check', refused: 'error', unknown: 'question' };

/** Copies the message's parts into the composer, for a new message with a new id. */
function WriteAnew({ seq }: { readonly seq: number }): JSX.Element {
  const { composer } = usePanel();
  return <IconButton icon="edit" label={t('Edit and Resend')} onClick={() => void composer.writeAnew(seq)} />;
}

/** Sends this message and those after it once more, in a new context. */
function RunAgain({ seq }: { readonly seq: number }): JSX.Element {
  const panel = usePanel();
  return <IconButton icon="debug-rerun" label={t('Run Again from Here…')} onClick={() => void panel.ask('runAgain', { seq })} />;
}

interface Props {
  readonly seq: number;
  /** Text before the actions: how far the message got. */
  readonly children: JSX.Element;
  /** True where it is unknown whether the message arrived: the agent can be asked. */
  readonly uncertain: boolean;
  /** It was for a task: it can be written as a new one instead. */
  readonly forTask: boolean;
}

/** A message that did not arrive, or may not have. It is never sent again automatically: the agent may have it already. */
function UncertainDelivery({ seq, uncertain, forTask, children }: Props): JSX.Element {
  const panel = usePanel();
  const { composer } = panel;
  const [asking, setAsking] = useState(false);
  const [checked, setChecked] = useState<DeliveryCheckResult>();
  const check = async (): Promise<void> => {
    if (asking) return;
    setAsking(true);
    setChecked(await panel.host.answer('checkDelivery', { seq }));
    setAsking(false);
  };
  return (
    <>
      <div class="delivery">
        {children}
        {uncertain && (
          <TextButton class="quiet" icon={asking ? 'loading' : 'search'} spin={asking} onClick={() => void check()}>
            {t('Check')}
          </TextButton>
        )}
        <TextButton class="quiet" icon="refresh" onClick={() => void panel.ask('sendAgain', { seq })}>
          {t('Send Again')}
        </TextButton>
        {forTask && !uncertain && (
          <TextButton class="quiet" icon="add" onClick={() => void composer.writeAnew(seq).then(() => composer.target.choose('new-task'))}>
            {t('Write as New Task')}
          </TextButton>
        )}
      </div>
      <div class="delivery-check" role="status">
        {uncertain && checked !== undefined && (
          <>
            <Icon name={checked.outcome === 'not-found' ? 'circle-slash' : 'question'} />{' '}
            <span>{checked.nextStep === undefined ? checked.message : t('{0} {1}', checked.message, checked.nextStep)}</span>
          </>
        )}
      </div>
    </>
  );
}
