import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { FormField, InputForm } from '../../schema/forms/inputForm.ts';
import { Icon, TextButton } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import { t, localized } from '../text/strings.ts';
import { visible, visibleLines, visibleName } from '../text/visible.ts';
import { type FormSession, useFormSession } from './formInProgress.ts';
import { FieldRow } from './formField.tsx';
import { Fields } from './formFields.tsx';
import { fieldKey } from './formState.ts';

interface FormProps {
  readonly form: InputForm;
  /** The status that asks; undefined for the card's form. */
  readonly seq: number | undefined;
}

/** An agent's form, filled in by fields, as JSON, or by answer buttons; the input survives a reload. */
export function FormView({ form, seq }: FormProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const session = useFormSession(usePanel(), form, seq);
  const { filling, faults } = session;
  const json = filling.state.json;
  const send = async (): Promise<void> => {
    if (await session.send()) return;
    // After the errors are in the DOM.
    setTimeout(() => root.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return;
    const single = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
    if ((!single && !event.ctrlKey && !event.metaKey) || (form.buttons !== undefined && json === undefined)) return;
    event.preventDefault();
    void send();
  };
  return (
    <div class="form" ref={root} role="group" aria-label={visibleName(form.title ?? t('Form'))} onKeyDown={onKeyDown}>
      <FormHead form={form} />
      {json !== undefined ? (
        <JsonFields session={session} text={json} />
      ) : form.buttons !== undefined ? (
        <Buttons session={session} />
      ) : (
        <Fields fields={form.fields} parent="" kept={form.kept} filling={filling} />
      )}
      {form.left !== undefined && json === undefined && (
        <div class="field-about muted">{t('{0} more members have no field here; they can be written as JSON.', form.left)}</div>
      )}
      {json === undefined && faults.length > 0 && <Faults faults={faults} />}
      <div class="field">
        <label class="field-label" for={`${filling.id}-words`}>
          {t('Accompanying message')}
        </label>
        <input
          id={`${filling.id}-words`}
          class="input"
          type="text"
          dir="auto"
          autocomplete="off"
          value={filling.state.words}
          onInput={event => session.writeWords(event.currentTarget.value)}
        />
      </div>
      <FormButtons session={session} onSend={() => void send()} />
    </div>
  );
}

/** Title and instructions of a form. */
export function FormHead({ form: { title, instructions } }: { readonly form: InputForm }): JSX.Element {
  return (
    <>
      {title !== undefined && (
        <div class="form-title" dir="auto">
          {visibleName(title)}
        </div>
      )}
      {instructions !== undefined && (
        <p class="form-about" dir="auto">
          {visibleLines(instructions)}
        </p>
      )}
    </>
  );
}

function FormButtons({ session, onSend }: { readonly session: FormSession; readonly onSend: () => void }): JSX.Element {
  const [stuck, setStuck] = useState(false);
  const {
    filling: { form, state },
    sentFaults,
    sent,
  } = session;
  const asJson = state.json !== undefined;
  const back = (discard: boolean): void => setStuck(!session.toFields(discard));
  const words =
    sentFaults === 0
      ? sent
        ? t('Send Again')
        : t('Send Form')
      : sentFaults === 1
        ? t('Send with 1 Fault')
        : t('Send with {0} Faults', sentFaults);
  return (
    <>
      <div class="form-buttons">
        {(asJson || form.buttons === undefined) && (
          <TextButton class="primary" icon="send" onClick={onSend}>
            {words}
          </TextButton>
        )}
        {asJson ? (
          <TextButton icon="list-unordered" onClick={() => back(false)}>
            {form.buttons === undefined ? t('Back to the Fields') : t('Back to the Answers')}
          </TextButton>
        ) : (
          <TextButton icon="json" onClick={session.toJson}>
            {t('Write as JSON')}
          </TextButton>
        )}
      </div>
      {stuck && asJson && (
        <div class="field-fault" role="alert">
          <Icon name="error" />
          {t('The fields can show only a JSON object. Correct it first.')}
          <span class="field-readings">
            <TextButton onClick={() => back(true)}>{t('Discard the JSON')}</TextButton>
          </span>
        </div>
      )}
    </>
  );
}

/** Answer buttons; the tooltip shows what a press sends. */
function Buttons({ session }: { readonly session: FormSession }): JSX.Element {
  return (
    <div class="form-answers" role="group" aria-label={t('Suggested answers')}>
      {session.filling.form.buttons?.map(({ label, description, data }, index) => (
        <div key={index} class="form-answer" title={t('Sends {0}', visibleName(JSON.stringify(data), 500))}>
          <TextButton class="primary" onClick={() => void session.press(index)}>
            <bdi>{visibleName(typeof label === 'string' ? label : localized(label), 120)}</bdi>
          </TextButton>
          {description !== undefined && (
            <span class="muted" dir="auto">
              {visibleLines(description)}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

/** The data as JSON, checked against the form's schema while typing; passwords keep their fields. */
function JsonFields({
  session: { filling, faults, writeJson },
  text,
}: {
  readonly session: FormSession;
  readonly text: string;
}): JSX.Element {
  const id = `${filling.id}-json`;
  const secrets = passwordsOf(filling.form.fields);
  return (
    <>
      <div class="field">
        <label class="field-label" for={id}>
          {t('Data as JSON')}
        </label>
        <textarea
          id={id}
          class="input mono"
          rows={Math.min(16, Math.max(6, text.split('\n').length))}
          spellcheck={false}
          value={text}
          aria-invalid={faults.length > 0}
          aria-describedby={`${id}-fault`}
          onInput={event => writeJson(event.currentTarget.value)}
        />
        <Faults id={`${id}-fault`} faults={faults} />
      </div>
      {secrets.map(([key, field]) => (
        <FieldRow key={key} field={field} at={key} filling={filling} />
      ))}
    </>
  );
}

/** Passwords at the form's top level; nested ones have to be typed in the JSON. */
const passwordsOf = (fields: readonly FormField[]): readonly (readonly [key: string, field: FormField])[] =>
  fields.filter(({ kind }) => kind === 'password').map(field => [fieldKey('', field), field]);

function Faults({ id, faults }: { readonly id?: string; readonly faults: readonly string[] }): JSX.Element {
  return (
    <div class="field-fault" id={id} aria-live="polite">
      {faults.map((line, index) => (
        <div key={index} dir="auto">
          <Icon name="error" />
          {visible(line)}
        </div>
      ))}
    </div>
  );
}
