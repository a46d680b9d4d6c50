import type { JSX } from 'preact';
import type { FormField } from '../../schema/forms/inputForm.ts';
import { Icon, TextButton } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import { visible, visibleLines, visibleName } from '../text/visible.ts';
import { hintsOf } from './fieldHints.ts';
import { type Fault, parseField, valueToSend, initialContent } from './fieldValue.ts';
import type { FormInProgress } from './formInProgress.ts';
import { Control } from './formControls.tsx';
import { contentIn } from './formState.ts';

export interface FieldProps {
  readonly field: FormField;
  readonly at: string;
  readonly filling: FormInProgress;
  /** The label is already shown above. */
  readonly bare?: boolean;
}

/** A field with label, description and error. */
export function FieldRow({ field, at, filling, bare = false }: FieldProps): JSX.Element {
  const id = filling.idOf(at);
  const typed = contentIn(filling.state, at) ?? initialContent(field);
  const fault = filling.faultOf(at);
  const raw = typeof typed === 'object';
  const group = field.kind === 'choices' && !raw;
  const sent = valueToSend(field, typed, parseField(field, typed));
  const about = [
    ...hintsOf(field),
    ...(typed === '' && field.kind === 'boolean' ? [t('Left out')] : []),
    ...(sent === undefined ? [] : [t('Sent as {0}', visibleName(sent, 80))]),
  ];
  const label = <FieldTitle field={field} />;
  const labelClass = bare ? 'spoken' : 'field-label';
  return (
    <div
      class={`field field-${raw ? 'json' : field.kind}`}
      role={group ? 'group' : undefined}
      aria-labelledby={group ? `${id}-label` : undefined}
    >
      {group || field.kind === 'fixed' ? (
        <span class={labelClass} id={`${id}-label`} dir="auto">
          {label}
        </span>
      ) : (
        <label class={labelClass} for={id} dir="auto">
          {label}
        </label>
      )}
      <Control
        field={field}
        typed={typed}
        onTyped={value => filling.type(at, value)}
        onLeft={() => filling.leave(at)}
        aria={{ id, 'aria-invalid': fault !== undefined, 'aria-required': field.required, 'aria-describedby': `${id}-about ${id}-fault` }}
      />
      {raw && (
        <div class="field-about muted">
          {t('The field cannot show this value, so it is written as JSON.')}{' '}
          <button type="button" class="link" onClick={() => filling.type(at, '')}>
            {t('Clear')}
          </button>
        </div>
      )}
      <div class="field-about muted" id={`${id}-about`}>
        {field.description !== undefined && <div dir="auto">{visibleLines(field.description)}</div>}
        {about.length > 0 && <div>{about.join(' · ')}</div>}
      </div>
      <FaultLine id={`${id}-fault`} fault={fault} onPick={reading => filling.type(at, reading)} />
    </div>
  );
}

export const FieldTitle = ({ field: { title, required } }: Pick<FieldProps, 'field'>): JSX.Element => (
  <>
    <bdi>{visibleName(title)}</bdi>
    {required && <span class="muted"> {t('(required)')}</span>}
  </>
);

interface FaultLineProps {
  readonly id: string;
  readonly fault: Fault | undefined;
  readonly onPick?: (reading: string) => void;
}

/** The error, and possible values as buttons. */
export function FaultLine({ id, fault, onPick }: FaultLineProps): JSX.Element {
  return (
    <div class="field-fault" id={id} aria-live="polite">
      {fault !== undefined && (
        <>
          <Icon name="error" />
          <span dir="auto">{visible(fault.fault)}</span>
        </>
      )}
      {fault?.readings !== undefined && (
        <span class="field-readings">
          {fault.readings.map(reading => (
            <TextButton key={reading} onClick={() => onPick?.(reading)}>
              {t('Use {0}', reading)}
            </TextButton>
          ))}
        </span>
      )}
    </div>
  );
}
