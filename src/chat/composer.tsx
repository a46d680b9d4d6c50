import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, IconButton, TextButton } from './button.tsx';
import { CardForm } from './forms/askedForm.tsx';
import { type ChatState, maxMessageLength } from './messages.ts';
import { usePanel } from './panelContext.ts';
import { t } from './strings.ts';
import { visible, visibleName } from './visible.ts';

export function Composer({ state }: { readonly state: ChatState }): JSX.Element {
  const panel = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => panel.focusWanted.subscribe(wishes => {
    // At first only where the panel has the focus anyway: it may have been opened beside an editor that is being typed in.
    if (wishes > 0 || document.hasFocus()) box.current?.focus();
  }), []);
  const send = async (): Promise<void> => {
    await panel.send();
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes, Enter takes its suggestion (229 where the browser does not say so otherwise).
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    void send();
  };
  const sending = panel.sending.value;
  return (
    <footer class="composer">
      <div class="column">
        <FailureLine />
        <ExtensionsNotice state={state} sent={() => box.current?.focus()} />
        <TargetLine />
        <CardForm />
        <div class="composer-box">
          <textarea
            ref={box} rows={1} value={panel.draft.value} maxLength={maxMessageLength} spellcheck={false}
            placeholder={t('Message to {0}', visibleName(state.agent, 60))} aria-label={t('Message to {0}', visibleName(state.agent, 60))} aria-describedby="target"
            onInput={event => panel.write(event.currentTarget.value)} onKeyDown={onKeyDown}
          />
          <div class="composer-buttons">
            {state.running && (
              <IconButton class="stop" icon={state.stopping ? 'loading' : 'debug-stop'} label={state.stopping ? t('Stopping: the agent has not confirmed it') : t('Stop')}
                disabled={state.stopping} spin={state.stopping} onClick={() => void panel.ask('stop', null)} />
            )}
            <IconButton class="send" icon="send" label={t('Send (Enter)')} disabled={sending || panel.draft.value.trim() === ''} onClick={() => void send()} />
          </div>
        </div>
      </div>
    </footer>
  );
}

function TargetLine(): JSX.Element {
  const panel = usePanel();
  const line = panel.target.value;
  const waits = line?.target === 'waiting-task';
  return (
    <div class={`target ${waits ? 'waits' : ''}`} id="target">
      <Icon name={waits ? 'reply' : 'add'} />
      <span class="target-text" title={line === undefined ? '' : visible(line.text)}>{line === undefined ? '' : visible(line.text)}</span>
      {line?.other !== undefined && <TextButton class="quiet" onClick={() => panel.switchTarget()}>{line.other}</TextButton>}
    </div>
  );
}

/** Asked before a message goes to an agent that will refuse it. */
function ExtensionsNotice({ state, sent }: { readonly state: ChatState; readonly sent: () => void }): JSX.Element | null {
  const panel = usePanel();
  const { missing } = state.extensions;
  if (!panel.extensionsAsked.value || missing.length === 0) return null;
  const send = (anyway: boolean): void => void panel.sendWithExtensions(anyway).then(sent);
  return (
    <div role="alert" class="notice">
      <Icon name="warning" />
      <div class="failure-words">
        <div>{t('The agent requires an extension that is off: {0}', missing.map(uri => visibleName(uri)).join(', '))}</div>
        <div class="buttons">
          {state.configured && <TextButton class="primary" onClick={() => send(false)}>{t('Turn On and Send')}</TextButton>}
          <TextButton onClick={() => send(true)}>{t('Send Anyway')}</TextButton>
        </div>
      </div>
      <IconButton icon="close" label={t('Dismiss')} onClick={() => { panel.extensionsAsked.value = false; sent(); }} />
    </div>
  );
}

function FailureLine(): JSX.Element {
  const panel = usePanel();
  const failure = panel.failure.value;
  return (
    <div role="alert" class={failure === undefined ? 'no-failure' : 'failure'}>
      {failure !== undefined && (
        <>
          <Icon name="error" />
          <div class="failure-words">
            <div>{failure.message}</div>
            {failure.nextStep !== undefined && <div class="muted">{failure.nextStep}</div>}
          </div>
          <IconButton icon="close" label={t('Dismiss')} onClick={() => { panel.failure.value = undefined; }} />
        </>
      )}
    </div>
  );
}
