import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { TextButton } from '../widgets/button.tsx';
import type { ShownForm } from '../host/messages.ts';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visibleLines, visibleName } from '../text/visible.ts';
import { useLoaded } from '../widgets/useLoaded.ts';
import { FormHead, FormView } from './formView.tsx';

/**
 * The form of a status, or, without `seq`, of the agent's card; undefined until the host has answered with one. Requested again when `open`
 * changes, because somebody has answered.
 */
export function useForm(seq: number | undefined, wanted: boolean, open = true): ShownForm | undefined {
  const { forms } = usePanel();
  return useLoaded(() => (wanted ? forms.get(seq) : undefined), [seq, wanted, open]);
}

/** A form that was answered: its field titles with the values sent. */
export function AnsweredForm({ shown: { form, answer = [] } }: { readonly shown: ShownForm }): JSX.Element {
  return (
    <div class="form form-over">
      <FormHead form={form} />
      <dl class="form-answered">
        {answer.map(({ title, value }, index) => (
          <div key={index}>
            <dt dir="auto">{visibleName(title)}</dt>
            <dd dir="auto" class={value === undefined ? 'muted' : undefined}>
              {value === undefined ? t('not sent') : visibleLines(value)}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The form of the agent's card for new tasks, where it has one; collapsed at first. */
export function CardForm(): JSX.Element | null {
  const panel = usePanel();
  const [open, setOpen] = useState(false);
  const wanted = panel.state.value?.takesForm === true && panel.composer.target.line.value?.target === 'new-task';
  const shown = useForm(undefined, wanted && open);
  if (!wanted) return null;
  return (
    <div class="card-form">
      <TextButton class="quiet" icon={open ? 'chevron-down' : 'chevron-right'} expanded={open} onClick={() => setOpen(!open)}>
        {t("Fill In the Agent's Form")}
      </TextButton>
      {open && shown !== undefined && <FormView form={shown.form} seq={undefined} />}
    </div>
  );
}
