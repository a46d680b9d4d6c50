import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { withDirectionMarksSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { Icon, IconButton, TextButton } from '../widgets/button.tsx';
import { CardForm } from '../forms/askedForm.tsx';
import { MentionList } from './mentionList.tsx';
import { maxMessageLength } from '../host/limits.ts';
import type { ChatState } from '../host/chatState.ts';
import { usePanel } from '../panel/panelContext.ts';
import { ReferenceChips } from './referenceChips.tsx';
import { mentionAt, type ReferenceOffer, referenceOffers } from '../transcript/references.ts';
import { localizedList, t } from '../text/strings.ts';
import { TargetLine } from './targetLine.tsx';
import { visibleName, visible } from '../text/visible.ts';
import { DraftChips } from './draftChips.tsx';
import { DraftEditor } from './editor.tsx';
import { useFileDrop } from './fileDrop.ts';
import { MoreMenu } from './moreMenu.tsx';

/** System of the person, as far as its keys differ. */
const system = navigator.platform.startsWith('Win') ? 'windows' : navigator.platform.startsWith('Mac') ? 'mac' : 'other';
/** Key that stops, as in VS Code's own chat: Windows has a use of its own for Ctrl+Escape. */
const isStopKey = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  system === 'windows' ? altKey && key === 'Backspace' : key === 'Escape' && (system === 'mac' ? metaKey : ctrlKey);
const stopLabel = (): string => ({ windows: t('Stop (Alt+Backspace)'), mac: t('Stop (⌘Escape)'), other: t('Stop (Ctrl+Escape)') })[system];

export function Composer({ state }: { readonly state: ChatState }): JSX.Element {
  const panel = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(
    () =>
      panel.composer.focusWanted.subscribe(wishes => {
        // On the first render, only where the panel already has the focus: it may have opened beside an editor in which the person types.
        if (wishes > 0 || document.hasFocus()) box.current?.focus();
      }),
    [],
  );
  // A page that gets the focus after it was drawn, as one that loads slowly, would have it nowhere.
  useEffect(() => {
    const onFocus = (): void => {
      if (document.activeElement === document.body && getSelection()?.isCollapsed !== false) box.current?.focus();
    };
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, []);
  /** After sending, the focus may be elsewhere in the window, and stays there. */
  const focusBack = (): void => {
    if (document.hasFocus()) box.current?.focus();
  };
  const send = async (): Promise<void> => {
    await panel.composer.send();
    // An editor whose content is invalid keeps the focus.
    if (panel.composer.editor.content.peek() === undefined) focusBack();
  };
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState<number>();
  const mention = mentionAt(panel.composer.draft.value, caret);
  const mentions = mention !== undefined && mention.at !== dismissed && (state.tasks.length > 0 || state.artifacts.length > 0);
  const offers = mentions ? referenceOffers(state, mention.words) : [];
  const chosen = offers[Math.min(active, offers.length - 1)];
  const onType = (text: string, at: number): void => {
    panel.composer.write(text);
    setCaret(at);
    setActive(0);
    if (mentionAt(text, at)?.at !== dismissed) setDismissed(undefined);
  };
  const refer = ({ reference }: ReferenceOffer): void => {
    if (mention === undefined) return;
    const text = panel.composer.draft.peek();
    onType(text.slice(0, mention.at) + text.slice(caret), mention.at);
    panel.composer.target.refer([reference]);
    box.current?.focus();
  };
  const beginMention = (): void => {
    const text = panel.composer.draft.peek();
    const begun = `${text}${text === '' || /\s$/.test(text) ? '' : ' '}@`;
    onType(begun, begun.length);
    setDismissed(undefined);
    box.current?.focus();
  };
  const onMentionKey = (event: KeyboardEvent): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && offers.length > 0) setActive((Math.min(active, offers.length - 1) + step + offers.length) % offers.length);
    else if (event.key === 'Escape') setDismissed(mention?.at);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && chosen !== undefined) refer(chosen);
    else return false;
    event.preventDefault();
    return true;
  };
  const { over, handlers } = useFileDrop(panel);
  /** Up at the very beginning of the text shows earlier messages; Down from there goes back. */
  const onHistoryKey = (event: KeyboardEvent): boolean => {
    const { current } = box;
    if (
      current === null ||
      event.shiftKey ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      event.isComposing ||
      current.selectionStart !== current.selectionEnd
    )
      return false;
    if (event.key === 'ArrowUp' && current.selectionStart === 0)
      void panel.composer.recallOlder().then(shown => {
        if (shown) current.setSelectionRange(0, 0);
      });
    else if (event.key === 'ArrowDown' && panel.composer.recalling && !current.value.includes('\n', current.selectionStart))
      panel.composer.recallNewer();
    else return false;
    event.preventDefault();
    return true;
  };
  const stop = (): void => {
    void panel.ask('stop', null);
    // The button is disabled from now on, and would leave the focus nowhere.
    focusBack();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isStopKey(event) && state.running && !state.stopping) {
      event.preventDefault();
      stop();
      return;
    }
    if (mentions && !event.isComposing && event.keyCode !== 229 && onMentionKey(event)) return;
    if (onHistoryKey(event)) return;
    // While an input method (IME) composes, Enter accepts its suggestion; some browsers report this only as keyCode 229.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    const [offered] = panel.composer.target.offered.peek();
    if (event.altKey && offered !== undefined) panel.composer.target.refer([{ taskId: offered.taskId }]);
    else void send();
  };
  const sending = panel.composer.sending.value;
  return (
    <footer class={`composer ${over ? 'over' : ''}`} aria-busy={sending} {...handlers}>
      <div class="column">
        <FailureLine />
        <RefusedNotice />
        <ExtensionsNotice state={state} sent={focusBack} />
        {panel.tab.value === 'chat' && panel.composer.target.line.value?.place !== 'waits' && <Examples examples={state.examples} />}
        <TargetLine state={state} />
        <CardForm />
        <ReferenceChips />
        <DraftEditor />
        <DraftChips />
        {mentions && <MentionList offers={offers} active={Math.min(active, offers.length - 1)} onPick={refer} />}
        <div class="composer-box">
          <textarea
            ref={box}
            rows={1}
            value={panel.composer.draft.value}
            maxLength={maxMessageLength}
            spellcheck={false}
            placeholder={t('Message to {0}', visibleName(state.agent, 60))}
            aria-label={t('Message to {0}', visibleName(state.agent, 60))}
            aria-describedby="target"
            aria-controls={mentions ? 'mentions' : undefined}
            aria-activedescendant={mentions && chosen !== undefined ? `mention-${offers.indexOf(chosen)}` : undefined}
            onInput={({ currentTarget }) => onType(currentTarget.value, currentTarget.selectionStart)}
            onKeyDown={onKeyDown}
            onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          />
          <div class="composer-buttons">
            {/* First, so that no other button takes its place when it goes. */}
            {state.running && (
              <IconButton
                class="stop"
                icon={state.stopping ? 'loading' : 'debug-stop'}
                label={state.stopping ? t('Stopping… (Not Confirmed by the Agent Yet)') : stopLabel()}
                disabled={state.stopping}
                spin={state.stopping}
                onClick={stop}
              />
            )}
            <IconButton
              icon="attach"
              label={t('Attach Files (or Paste, or Drop While Holding Shift)')}
              onClick={() => void panel.ask('pickFiles', null)}
            />
            <MoreMenu state={state} />
            {(state.tasks.length > 0 || state.artifacts.length > 0) && (
              <IconButton icon="mention" label={t('Refer to a Task or an Artifact (@)')} onClick={beginMention} />
            )}
            <IconButton
              class="send"
              icon="send"
              label={t('Send (Enter)')}
              disabled={sending || !panel.composer.ready.value}
              onClick={() => void send()}
            />
          </div>
        </div>
      </div>
    </footer>
  );
}

/** Example prompts of the agent's card, for new tasks; a press puts one into the text box without sending it. */
function Examples({ examples }: Pick<ChatState, 'examples'>): JSX.Element | null {
  const panel = usePanel();
  if (examples.length === 0) return null;
  return (
    <ul class="examples" aria-label={t('Examples from the agent card')}>
      {examples.map((example, index) => (
        <li key={index}>
          <button type="button" class="example one-line" title={visibleName(example, 300)} onClick={() => panel.composer.prefill(example)}>
            {visibleName(example, 300)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Asks before a message is sent to an agent that requires extensions that are off. */
function ExtensionsNotice({ state, sent }: { readonly state: ChatState; readonly sent: () => void }): JSX.Element | null {
  const panel = usePanel();
  const { missing } = state.extensions;
  if (!panel.composer.extensionsAsked.value || missing.length === 0) return null;
  const send = (anyway: boolean): void => void panel.composer.sendWithExtensions(anyway).then(sent);
  return (
    <Notice
      onDismiss={() => {
        panel.composer.extensionsAsked.value = false;
        sent();
      }}
    >
      <div>{t('The agent requires an extension that is off: {0}', localizedList(missing.map(uri => visibleName(uri))))}</div>
      <div class="buttons">
        {state.configured && (
          <TextButton class="primary" onClick={() => send(false)}>
            {t('Turn On and Send')}
          </TextButton>
        )}
        <TextButton onClick={() => send(true)}>{t('Send Anyway')}</TextButton>
      </div>
    </Notice>
  );
}

/** A warning above the text box, until it is dismissed. */
function Notice({ onDismiss, children }: { readonly onDismiss: () => void; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div role="alert" class="notice">
      <Icon name="warning" />
      <div class="failure-words">{children}</div>
      <IconButton icon="close" label={t('Dismiss')} onClick={onDismiss} />
    </div>
  );
}

export function FailureLine(): JSX.Element {
  const panel = usePanel();
  const failure = panel.host.failure.value;
  return (
    <div role="alert" class={failure === undefined ? 'no-failure' : 'failure'}>
      {failure !== undefined && (
        <>
          <Icon name="error" />
          <div class="failure-words">
            <div dir="auto">{withDirectionMarksSpelledOut(failure.message)}</div>
            {failure.nextStep !== undefined && (
              <div class="muted" dir="auto">
                {withDirectionMarksSpelledOut(failure.nextStep)}
              </div>
            )}
          </div>
          <IconButton
            icon="close"
            label={t('Dismiss')}
            onClick={() => {
              panel.host.failure.value = undefined;
            }}
          />
        </>
      )}
    </div>
  );
}

/** Files whose media type the agent's card does not accept: the reason, and a button to attach them anyway. */
function RefusedNotice(): JSX.Element | null {
  const { parts } = usePanel().composer;
  const refused = parts.refused.value;
  if (refused.length === 0) return null;
  return (
    <Notice onDismiss={() => parts.settleRefused(false)}>
      {refused.map(({ id, name, refused: reason = '' }) => (
        <div key={id}>{t('{0} is not attached yet. {1}', visibleName(name, 60), visible(reason))}</div>
      ))}
      <div class="buttons">
        <TextButton onClick={() => parts.settleRefused(true)}>{t('Attach Anyway')}</TextButton>
      </div>
    </Notice>
  );
}
