import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { InputForm } from '../../protocol/inputForm.ts';
import { TextButton } from '../button.tsx';
import { usePanel } from '../panelContext.ts';
import { t } from '../strings.ts';
import { visible, visibleName } from '../visible.ts';
import { jsonMeant, meantByForm, type Typed, typedForm } from './fieldValue.ts';
import { FieldRow } from './formField.tsx';
import { JsonEditor } from './jsonEditor.tsx';

interface FormViewProps {
  readonly form: InputForm;
  /** The status that asks; the card's form otherwise. */
  readonly seq: number | undefined;
}

const isData = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A form of an agent, filled in field by field or as JSON; what is typed outlives the page. */
export function FormView({ form, seq }: FormViewProps): JSX.Element {
  const panel = usePanel();
  const root = useRef<HTMLDivElement>(null);
  const key = String(seq ?? 'card');
  const [typed, setTyped] = useState(() => ({ ...typedForm(form), ...panel.keptForm(key) }));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [json, setJson] = useState<string>();
  const [words, setWords] = useState('');
  const [sent, setSent] = useState(false);
  const { data, faults } = meantByForm(form, typed);
  const meant = json === undefined ? undefined : jsonMeant(json);
  const id = `form-${key}`;

  const type = (name: string, value: Typed): void => {
    const next = { ...typed, [name]: value };
    setTyped(next);
    panel.keepForm(key, next);
  };
  const leave = (name: string): void => setLeft(new Set([...left, name]));
  const send = async (): Promise<void> => {
    if (meant === undefined && faults.size > 0) {
      setLeft(new Set(form.fields.map(({ name }) => name)));
      const wrong = form.fields.findIndex(({ name }) => faults.has(name));
      root.current?.querySelector<HTMLElement>(`#${id}-${wrong}`)?.focus();
      return;
    }
    const answer = meant === undefined ? data : 'value' in meant ? meant.value : undefined;
    if (!isData(answer)) {
      root.current?.querySelector<HTMLElement>('textarea')?.focus();
      return;
    }
    if (!await panel.sendForm(seq, answer, words)) return;
    setSent(true);
    panel.keepForm(key, undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return;
    const single = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
    if (!single && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    void send();
  };
  return (
    <div class="form" ref={root} role="group" aria-label={visibleName(form.title ?? t('Form'))} onKeyDown={onKeyDown}>
      {form.title !== undefined && <div class="form-title">{visibleName(form.title)}</div>}
      {form.instructions !== undefined && <p class="form-about">{visible(form.instructions)}</p>}
      {json === undefined
        ? form.fields.map((field, index) => (
          <FieldRow key={field.name} field={field} id={`${id}-${index}`} typed={typed[field.name] ?? ''} fault={left.has(field.name) ? faults.get(field.name) : undefined}
            onTyped={value => type(field.name, value)} onLeft={() => leave(field.name)} />
        ))
        : <JsonEditor id={`${id}-json`} seq={seq} text={json} onText={setJson} />}
      <div class="field">
        <label class="field-label" for={`${id}-words`}>{t('Words to go with it')}</label>
        <input id={`${id}-words`} class="input" type="text" autocomplete="off" value={words} onInput={event => setWords(event.currentTarget.value)} />
      </div>
      <div class="form-buttons">
        <TextButton class="primary" icon="send" onClick={() => void send()}>{sent ? t('Send again') : t('Send form')}</TextButton>
        <TextButton icon={json === undefined ? 'json' : 'list-unordered'} onClick={() => setJson(json === undefined ? JSON.stringify(data, null, 2) : undefined)}>
          {json === undefined ? t('Write as JSON') : t('Back to the fields')}
        </TextButton>
      </div>
    </div>
  );
}
