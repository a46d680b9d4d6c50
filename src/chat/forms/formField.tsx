import type { JSX } from 'preact';
import type { FormField } from '../../protocol/inputForm.ts';
import { Icon } from '../button.tsx';
import { t } from '../strings.ts';
import { visible, visibleName } from '../visible.ts';
import type { Typed } from './fieldValue.ts';

export interface FieldProps {
  readonly field: FormField;
  /** Unique in the page. */
  readonly id: string;
  readonly typed: Typed;
  readonly fault: string | undefined;
  readonly onTyped: (typed: Typed) => void;
  /** The field was left. */
  readonly onLeft: () => void;
}

/** A field with its label, what the agent says of it, and what is wrong with it. */
export function FieldRow(props: FieldProps): JSX.Element {
  const { field, id, fault } = props;
  const described = field.description !== undefined || field.kind === 'list';
  const group = field.kind === 'choices';
  const label = <>{visibleName(field.title)}{field.required && <span class="muted"> {t('(needed)')}</span>}</>;
  const Control = controls[field.kind] ?? TextField;
  const control = <Control {...props} aria={{ id, 'aria-invalid': fault !== undefined, 'aria-required': field.required, 'aria-describedby': `${id}-about ${id}-fault` }} />;
  return (
    <div class={`field field-${field.kind}`} role={group ? 'group' : undefined} aria-labelledby={group ? `${id}-label` : undefined}>
      {group ? <span class="field-label" id={`${id}-label`}>{label}</span> : <label class="field-label" for={id}>{label}</label>}
      {control}
      <div class="field-about muted" id={`${id}-about`}>
        {described && [field.description === undefined ? undefined : visible(field.description), field.kind === 'list' ? t('One a line.') : undefined].filter(Boolean).join(' ')}
      </div>
      <div class="field-fault" id={`${id}-fault`} aria-live="polite">{fault !== undefined && <><Icon name="error" />{fault}</>}</div>
    </div>
  );
}

interface Aria {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-required': boolean;
  readonly 'aria-describedby': string;
}
type ControlProps = FieldProps & { readonly aria: Aria };

const textOf = (typed: Typed): string => (typeof typed === 'string' ? typed : '');

function TextField({ field, typed, aria, onTyped, onLeft }: ControlProps): JSX.Element {
  const inputMode = field.kind === 'number' ? 'decimal' : field.kind === 'integer' ? 'numeric' : 'text';
  return (
    <input {...aria} class="input" type="text" inputMode={inputMode} autocomplete="off" spellcheck={false}
      value={textOf(typed)} onInput={event => onTyped(event.currentTarget.value)} onBlur={onLeft} />
  );
}

function TimeField({ field, typed, aria, onTyped, onLeft }: ControlProps): JSX.Element {
  return (
    <input {...aria} class="input" type={field.kind === 'date' ? 'date' : 'datetime-local'}
      value={textOf(typed)} onInput={event => onTyped(event.currentTarget.value)} onBlur={onLeft} />
  );
}

function AreaField({ field, typed, aria, onTyped, onLeft }: ControlProps): JSX.Element {
  return (
    <textarea {...aria} class={`input ${field.kind === 'json' ? 'mono' : ''}`} rows={3} spellcheck={false}
      value={textOf(typed)} onInput={event => onTyped(event.currentTarget.value)} onBlur={onLeft} />
  );
}

function TickField({ typed, aria, onTyped, onLeft }: ControlProps): JSX.Element {
  return <input {...aria} type="checkbox" checked={typed === true} onChange={event => onTyped(event.currentTarget.checked)} onBlur={onLeft} />;
}

function ChoiceField({ field, typed, aria, onTyped, onLeft }: ControlProps): JSX.Element {
  return (
    <select {...aria} class="input" value={textOf(typed)} onChange={event => onTyped(event.currentTarget.value)} onBlur={onLeft}>
      {(!field.required || typed === '') && <option value="">{t('(none)')}</option>}
      {field.options?.map(({ label }, index) => <option key={index} value={String(index)}>{visibleName(label)}</option>)}
    </select>
  );
}

function ChoicesField({ field, id, typed, aria, onTyped, onLeft }: ControlProps): JSX.Element {
  const chosen = new Set(textOf(typed).split(',').filter(index => index !== ''));
  const toggle = (index: string, on: boolean): void => {
    const next = new Set(chosen);
    if (on) next.add(index);
    else next.delete(index);
    onTyped([...next].sort((a, b) => Number(a) - Number(b)).join(','));
  };
  return (
    <div class="choices">
      {field.options?.map(({ label }, index) => (
        <label key={index}>
          <input id={index === 0 ? id : undefined} aria-describedby={aria['aria-describedby']} type="checkbox" checked={chosen.has(String(index))} onChange={event => toggle(String(index), event.currentTarget.checked)} onBlur={onLeft} />
          {visibleName(label)}
        </label>
      ))}
    </div>
  );
}

const controls: Partial<Record<FormField['kind'], (props: ControlProps) => JSX.Element>> = {
  date: TimeField, datetime: TimeField, multiline: AreaField, list: AreaField, json: AreaField, boolean: TickField, choice: ChoiceField, choices: ChoicesField,
};
