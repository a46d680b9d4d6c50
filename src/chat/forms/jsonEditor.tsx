import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../button.tsx';
import type { DataFault } from '../messages.ts';
import { usePanel } from '../panelContext.ts';
import { t } from '../strings.ts';
import { visible } from '../visible.ts';
import { jsonMeant } from './fieldValue.ts';

/** Milliseconds after the last key until the host is asked. */
const pause = 200;

interface JsonEditorProps {
  readonly id: string;
  /** The status that asks; the card's form otherwise. */
  readonly seq: number | undefined;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The data of a form as JSON, checked against the form's schema as one types. */
export function JsonEditor({ id, seq, text, onText }: JsonEditorProps): JSX.Element {
  const panel = usePanel();
  const [faults, setFaults] = useState<readonly DataFault[]>([]);
  const meant = jsonMeant(text);
  useEffect(() => {
    if ('fault' in meant) return undefined;
    let current = true;
    const timer = setTimeout(() => void panel.checkForm(seq, meant.value).then(found => { if (current) setFaults(found); }), pause);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text]);
  const wrong = 'fault' in meant ? [meant.fault] : faults.map(({ pointer, message }) => `${pointer || '/'} ${message}`);
  return (
    <div class="field">
      <label class="field-label" for={id}>{t('Data as JSON')}</label>
      <textarea id={id} class="input mono" rows={6} spellcheck={false} value={text} aria-invalid={wrong.length > 0} aria-describedby={`${id}-fault`}
        onInput={event => onText(event.currentTarget.value)} />
      <div class="field-fault" id={`${id}-fault`} aria-live="polite">{wrong.map((line, index) => <div key={index}><Icon name="error" />{visible(line)}</div>)}</div>
    </div>
  );
}
