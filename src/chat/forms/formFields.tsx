import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FormField } from '../../schema/forms/inputForm.ts';
import { TextButton } from '../widgets/button.tsx';
import { localizedList, t } from '../text/strings.ts';
import { visibleLines, visibleName } from '../text/visible.ts';
import type { FormInProgress } from './formInProgress.ts';
import { FaultLine, type FieldProps, FieldRow, FieldTitle } from './formField.tsx';
import { chosenIn, fieldKey, membersWithoutField, contentIn, variantKey } from './formState.ts';

/** Maximum number of optional fields shown at first. */
const shownAtFirst = 8;

interface FieldsProps {
  readonly fields: readonly FormField[];
  /** Key of the object that contains the fields. */
  readonly parent: string;
  readonly kept: Readonly<Record<string, unknown>> | undefined;
  readonly filling: FormInProgress;
}

/** The members of an object: required ones first, the others on demand. */
export function Fields({ fields, parent, kept, filling }: FieldsProps): JSX.Element {
  const [wanted, setWanted] = useState(false);
  const needed = fields.filter(({ required }) => required).length;
  const always = fields.length <= shownAtFirst + 2 ? fields.length : Math.max(needed, shownAtFirst);
  const folded = fields.slice(always);
  const open = wanted || folded.some(field => isUsed(filling, fieldKey(parent, field)));
  const rest = Object.keys(membersWithoutField(filling.state, parent, kept));
  return (
    <>
      {(open ? fields : fields.slice(0, always)).map(field => (
        <AnyField key={fieldKey(parent, field)} field={field} at={fieldKey(parent, field)} filling={filling} />
      ))}
      {folded.length > 0 && !open && (
        <TextButton class="quiet" icon="chevron-right" expanded={false} onClick={() => setWanted(true)}>
          {t('Show {0} More Fields', folded.length)}
        </TextButton>
      )}
      {rest.length > 0 && (
        <div class="field-about muted">{t('Sent unchanged: {0}', localizedList(rest.slice(0, 20).map(name => visibleName(name, 60))))}</div>
      )}
    </>
  );
}

const isUsed = (filling: FormInProgress, key: string): boolean =>
  filling.hasFaultIn(key) ||
  Object.keys(filling.state.typed).some(typed => typed === key || typed.startsWith(`${key}/`) || typed.startsWith(`${key}?`));

function AnyField(props: FieldProps): JSX.Element {
  if (typeof contentIn(props.filling.state, props.at) === 'object') return <FieldRow {...props} />;
  switch (props.field.kind) {
    case 'group':
      return <Group {...props} />;
    case 'variants':
      return <Variants {...props} />;
    default:
      return <FieldRow {...props} />;
  }
}

/** An object inside the form. An optional one is collapsed while it is empty. */
function Group({ field, at, filling, bare = false }: FieldProps): JSX.Element {
  const used = field.required || field.given === true || isUsed(filling, at);
  const [open, setOpen] = useState(used || bare);
  const shown = open || filling.hasFaultIn(at);
  const id = filling.idOf(at);
  const title = <FieldTitle field={field} />;
  const inner = <Fields fields={field.fields ?? []} parent={at} kept={field.kept} filling={filling} />;
  const about = field.description !== undefined && (
    <div class="field-about muted" dir="auto">
      {visibleLines(field.description)}
    </div>
  );
  if (bare)
    return (
      <div class="field-group">
        {about}
        {inner}
      </div>
    );
  return (
    <div class="field" role="group" aria-labelledby={`${id}-label`}>
      {field.required ? (
        <span class="field-label" id={`${id}-label`} dir="auto">
          {title}
        </span>
      ) : (
        <span class="field-fold" id={`${id}-label`}>
          <TextButton class="quiet" icon={shown ? 'chevron-down' : 'chevron-right'} expanded={shown} onClick={() => setOpen(!shown)}>
            {title}
          </TextButton>
          {!filling.isSent(at) && <span class="muted field-note">{t('Left out')}</span>}
        </span>
      )}
      {shown && (
        <div class="field-group">
          {about}
          {inner}
        </div>
      )}
      <FaultLine id={`${id}-fault`} fault={filling.faultOf(at)} />
    </div>
  );
}

/** One of several forms, selected above its fields. */
function Variants({ field, at, filling }: FieldProps): JSX.Element {
  const id = filling.idOf(at);
  const { variants = [] } = field;
  const chosen = chosenIn(filling.state, at, field);
  const variant = chosen === undefined ? undefined : variants[chosen]?.field;
  const named = field.name !== '';
  return (
    <div class="field field-variants">
      <label class="field-label" for={id} dir="auto">
        {named ? <FieldTitle field={field} /> : t('One of')}
      </label>
      {field.description !== undefined && (
        <div class="field-about muted" dir="auto">
          {visibleLines(field.description)}
        </div>
      )}
      <select
        id={id}
        class="input"
        dir="auto"
        value={chosen === undefined ? '' : String(chosen)}
        aria-describedby={`${id}-fault`}
        onChange={event => filling.type(at, event.currentTarget.value)}
        onBlur={() => filling.leave(at)}
      >
        {(!field.required || chosen === undefined) && <option value="">{t('(none)')}</option>}
        {variants.map(({ label }, index) => (
          <option key={index} value={String(index)}>
            {visibleName(label)}
          </option>
        ))}
      </select>
      {chosen !== undefined &&
        variant !== undefined &&
        (named ? (
          <AnyField key={chosen} field={variant} at={variantKey(at, chosen)} filling={filling} bare />
        ) : (
          <div class="field-group" key={chosen}>
            <Fields fields={variant.fields ?? []} parent={variantKey(at, chosen)} kept={undefined} filling={filling} />
          </div>
        ))}
      <FaultLine id={`${id}-fault`} fault={filling.faultOf(at)} />
    </div>
  );
}
