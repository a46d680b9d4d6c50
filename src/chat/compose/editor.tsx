import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, TextButton } from '../widgets/button.tsx';
import type { DraftPart } from '../host/draft.ts';
import { maxJsonLength, maxNameLength } from '../host/limits.ts';
import { parseTypedJson } from '../text/jsonText.ts';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visible, visibleName } from '../text/visible.ts';

/** The open editor for content of the next message other than text: a data part, a piece of text, metadata or output modes. */
export function DraftEditor(): JSX.Element | null {
  const { composer } = usePanel();
  const editing = composer.editor.content.value;
  if (editing === undefined) return null;
  switch (editing.kind) {
    case 'part':
      return editing.part.kind === 'data' ? (
        <DataEditor key={editing.part.id} part={editing.part} />
      ) : (
        <TextEditor key={editing.part.id} part={editing.part} />
      );
    case 'metadata':
      return <MetadataEditor />;
    case 'modes':
      return <ModesEditor />;
    case 'sending':
      return <SendingEditor />;
  }
}

interface FrameProps {
  readonly title: string;
  readonly done: string;
  /** Returns false where the content is invalid. */
  readonly onDone: () => boolean | Promise<boolean>;
  readonly children: ComponentChildren;
}

/** Escape closes, Ctrl+Enter applies; the first field gets the focus. */
function Frame({ title, done, onDone, children }: FrameProps): JSX.Element {
  const { composer } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  const wishes = composer.editor.focusWanted.value;
  useLayoutEffect(() => root.current?.querySelector<HTMLElement>('textarea, input')?.focus(), [wishes]);
  // Synchronously: an effect would run after the next paint, and Enter in the message box could use older text.
  useLayoutEffect(() => {
    composer.editor.onTake = onDone;
    return () => {
      composer.editor.onTake = undefined;
    };
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') composer.editor.close();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void onDone();
    else return;
    event.preventDefault();
  };
  return (
    <div class="draft-editor" role="group" aria-label={title} ref={root} onKeyDown={onKeyDown}>
      <div class="form-title">{title}</div>
      {children}
      <div class="buttons">
        <TextButton class="primary" onClick={() => void onDone()}>
          {done}
        </TextButton>
        <TextButton onClick={() => composer.editor.close()}>{t('Cancel')}</TextButton>
      </div>
    </div>
  );
}

interface JsonFieldProps {
  readonly label: string;
  readonly text: string;
  /** Error message of its content. */
  readonly fault: string | undefined;
  readonly onText: (text: string) => void;
}

function JsonField({ label, text, fault, onText }: JsonFieldProps): JSX.Element {
  return (
    <div class="field">
      <label class="field-label" for="draft-json">
        {label}
      </label>
      <textarea
        id="draft-json"
        class="input mono"
        rows={5}
        spellcheck={false}
        maxLength={maxJsonLength}
        value={text}
        aria-invalid={fault !== undefined}
        aria-describedby="draft-fault"
        onInput={event => onText(event.currentTarget.value)}
      />
      <div class="field-fault" id="draft-fault" aria-live="polite">
        {fault !== undefined && (
          <>
            <Icon name="error" />
            {visible(fault)}
          </>
        )}
      </div>
    </div>
  );
}

/** The browser's message for invalid JSON; undefined for empty text. */
function faultOf(json: string): string | undefined {
  const parsed = json.trim() === '' ? undefined : parseTypedJson(json);
  return parsed !== undefined && 'fault' in parsed ? parsed.fault : undefined;
}

function DataEditor({ part }: { readonly part: Extract<DraftPart, { readonly kind: 'data' }> }): JSX.Element {
  const { composer } = usePanel();
  const [json, setJson] = useState(part.json);
  const [mediaType, setMediaType] = useState(part.mediaType ?? '');
  const [doubt, setDoubt] = useState<string>();
  const [wanted, setWanted] = useState(false);
  const fault = json.trim() === '' && wanted ? t('Enter a JSON value, or cancel.') : faultOf(json);
  const done = async (): Promise<boolean> => {
    setWanted(true);
    if (json.trim() === '' || fault !== undefined) return false;
    // Asks only once: a second press adds it anyway.
    const reason =
      doubt === undefined ? await composer.checkMode(mediaType.trim() === '' ? 'application/json' : mediaType.trim()) : undefined;
    if (reason !== undefined) {
      setDoubt(reason);
      return false;
    }
    const { mediaType: _, ...others } = part;
    composer.parts.put({ ...others, json, ...(mediaType.trim() !== '' && { mediaType: mediaType.trim() }) });
    composer.editor.close();
    return true;
  };
  return (
    <Frame title={t('Data Part')} done={doubt === undefined ? t('Attach') : t('Attach Anyway')} onDone={done}>
      <JsonField label={t('JSON value')} text={json} fault={fault} onText={setJson} />
      <div class="field">
        <label class="field-label" for="draft-type">
          {t('Media type')} <span class="muted">{t('(optional)')}</span>
        </label>
        <input
          id="draft-type"
          class="input"
          type="text"
          maxLength={maxNameLength}
          spellcheck={false}
          autocomplete="off"
          placeholder="application/json"
          value={mediaType}
          onInput={event => {
            setMediaType(event.currentTarget.value);
            setDoubt(undefined);
          }}
        />
        <div class="field-doubt" aria-live="polite">
          {doubt !== undefined && (
            <>
              <Icon name="warning" />
              {visible(doubt)}
            </>
          )}
        </div>
      </div>
    </Frame>
  );
}

function TextEditor({ part }: { readonly part: Extract<DraftPart, { readonly kind: 'text' }> }): JSX.Element {
  const { composer } = usePanel();
  const [text, setText] = useState(part.text);
  const done = (): boolean => {
    composer.parts.put({ ...part, text });
    composer.editor.close();
    return true;
  };
  return (
    <Frame title={part.name === undefined ? t('Text Part') : visibleName(part.name, 60)} done={t('Apply')} onDone={done}>
      <textarea
        class="input mono"
        rows={6}
        spellcheck={false}
        aria-label={t('Text')}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
      />
    </Frame>
  );
}

function MetadataEditor(): JSX.Element {
  const { composer } = usePanel();
  const [json, setJson] = useState(composer.metadata.peek());
  const noObject = json.trim() !== '' && !json.trim().startsWith('{') ? t('Message metadata must be a JSON object.') : undefined;
  const fault = faultOf(json) ?? noObject;
  const done = (): boolean => {
    if (fault !== undefined) return false;
    composer.change(composer.metadata, json);
    composer.editor.close();
    return true;
  };
  return (
    <Frame title={t('Message Metadata')} done={t('Apply')} onDone={done}>
      <JsonField label={t('JSON object')} text={json} fault={fault} onText={setJson} />
    </Frame>
  );
}

function ModesEditor(): JSX.Element {
  const panel = usePanel();
  const { composer } = panel;
  const [chosen, setChosen] = useState(composer.outputModes.peek());
  const offered = [...new Set([...(panel.state.value?.outputModes ?? []), ...composer.outputModes.peek()])];
  const done = (): boolean => {
    composer.change(composer.outputModes, chosen);
    composer.editor.close();
    return true;
  };
  return (
    <Frame title={t('Accepted Output Modes')} done={t('Apply')} onDone={done}>
      <p class="form-about muted">{t('Media types that the agent is asked to answer in. Select none to accept any.')}</p>
      <div class="choices">
        {offered.map(mode => (
          <label key={mode}>
            <input
              type="checkbox"
              checked={chosen.includes(mode)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen(offered.filter(each => (each === mode ? checked : chosen.includes(each))))
              }
            />
            {visibleName(mode, 80)}
          </label>
        ))}
      </div>
    </Frame>
  );
}

function SendingEditor(): JSX.Element {
  const { composer } = usePanel();
  const before = composer.how.peek();
  const [way, setWay] = useState(before.returnImmediately === true ? 'once' : before.streaming === false ? 'whole' : 'card');
  const [length, setLength] = useState(String(before.historyLength ?? ''));
  const [once, setOnce] = useState(before.once === true);
  const done = (): boolean => {
    const options = {
      ...(way !== 'card' && { streaming: false as const }),
      ...(way === 'once' && { returnImmediately: true as const }),
      ...(length !== '' && { historyLength: Number(length) }),
    };
    composer.change(composer.how, Object.keys(options).length > 0 && once ? { ...options, once } : options);
    composer.editor.close();
    return true;
  };
  return (
    <Frame title={t('Sending Options')} done={t('Apply')} onDone={done}>
      <div class="choices" role="radiogroup" aria-label={t('Answer')}>
        {[
          ['card', t('As the card declares')],
          ['whole', t('Without streaming')],
          ['once', t('Return immediately')],
        ].map(([value = '', words]) => (
          <label key={value}>
            <input type="radio" name="way" checked={way === value} onChange={() => setWay(value)} />
            {words}
          </label>
        ))}
      </div>
      <label class="field-label" for="draft-history">
        {t('History length')} <span class="muted">{t('(optional)')}</span>
      </label>
      <input
        id="draft-history"
        class="input"
        inputMode="numeric"
        maxLength={6}
        autocomplete="off"
        value={length}
        onInput={({ currentTarget }) => setLength((currentTarget.value = currentTarget.value.replaceAll(/\D/g, '')))}
      />
      <div class="choices">
        <label>
          <input type="checkbox" checked={once} onChange={({ currentTarget }) => setOnce(currentTarget.checked)} />
          {t('For the next message only')}
        </label>
      </div>
    </Frame>
  );
}
