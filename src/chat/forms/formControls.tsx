import type { JSX } from 'preact';
import type { FormField } from '../../schema/forms/inputForm.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import type { FieldContent } from '../host/keptState.ts';

interface ControlProps {
  readonly field: FormField;
  /** Undefined while nothing was typed. */
  readonly typed: FieldContent;
  readonly aria: Aria;
  readonly onTyped: (typed: FieldContent) => void;
  /** Called when the field loses the focus. */
  readonly onLeft: () => void;
}

interface Aria {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-required': boolean;
  readonly 'aria-describedby': string;
}

const textOf = (typed: FieldContent): string => (typeof typed === 'string' ? typed : typeof typed === 'object' ? typed.json : '');

const inputs: Partial<Record<FormField['kind'], JSX.IntrinsicElements['input']>> = {
  // A browser would offer stored passwords to an agent otherwise.
  password: { type: 'password', autocomplete: 'new-password' },
  date: { type: 'date' },
  datetime: { type: 'datetime-local', step: 1 },
  number: { inputMode: 'decimal' },
  integer: { inputMode: 'numeric' },
};

function InputControl({ field, typed, aria, onTyped, onLeft }: ControlProps): JSX.Element {
  return (
    <input
      {...aria}
      class="input"
      type="text"
      inputMode="text"
      dir="auto"
      autocomplete="off"
      spellcheck={false}
      {...inputs[field.kind]}
      value={textOf(typed)}
      onInput={event => onTyped(event.currentTarget.value)}
      onBlur={onLeft}
    />
  );
}

function AreaControl({ field, typed, aria, onTyped, onLeft }: ControlProps): JSX.Element {
  const json = field.kind === 'json' || typeof typed === 'object';
  return (
    <textarea
      {...aria}
      class={`input ${json ? 'mono' : ''}`}
      rows={3}
      dir="auto"
      spellcheck={false}
      value={textOf(typed)}
      onInput={event => onTyped(typeof typed === 'object' ? { json: event.currentTarget.value } : event.currentTarget.value)}
      onBlur={onLeft}
    />
  );
}

/** Indeterminate where JSON left it out. */
function TickControl({ typed, aria, onTyped, onLeft }: ControlProps): JSX.Element {
  return (
    <input
      {...aria}
      type="checkbox"
      checked={typed === true}
      indeterminate={typed === ''}
      onChange={event => onTyped(event.currentTarget.checked)}
      onBlur={onLeft}
    />
  );
}

function ChoiceControl({ field, typed, aria, onTyped, onLeft }: ControlProps): JSX.Element {
  return (
    <select {...aria} class="input" dir="auto" value={textOf(typed)} onChange={event => onTyped(event.currentTarget.value)} onBlur={onLeft}>
      {(!field.required || typed === '') && <option value="">{t('(none)')}</option>}
      {field.options?.map(({ label }, index) => (
        <option key={index} value={String(index)}>
          {visibleName(label)}
        </option>
      ))}
    </select>
  );
}

function ChoicesControl({ field, typed, aria, onTyped, onLeft }: ControlProps): JSX.Element {
  const chosen = new Set(
    textOf(typed)
      .split(',')
      .filter(index => index !== ''),
  );
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
          <input
            id={index === 0 ? aria.id : undefined}
            aria-describedby={aria['aria-describedby']}
            type="checkbox"
            checked={chosen.has(String(index))}
            onChange={event => toggle(String(index), event.currentTarget.checked)}
            onBlur={onLeft}
          />
          <bdi>{visibleName(label)}</bdi>
        </label>
      ))}
    </div>
  );
}

function FixedControl({ field, aria }: ControlProps): JSX.Element {
  return (
    <code id={aria.id} class="fixed-value" dir="auto">
      {visibleName(typeof field.value === 'string' ? field.value : JSON.stringify(field.value))}
    </code>
  );
}

const controls: Partial<Record<FormField['kind'], (props: ControlProps) => JSX.Element>> = {
  multiline: AreaControl,
  list: AreaControl,
  json: AreaControl,
  boolean: TickControl,
  choice: ChoiceControl,
  choices: ChoicesControl,
  fixed: FixedControl,
};

/** The control of a field; a value that it cannot show is edited as JSON. */
export function Control(props: ControlProps): JSX.Element {
  const Own = typeof props.typed === 'object' ? AreaControl : (controls[props.field.kind] ?? InputControl);
  return <Own {...props} />;
}
