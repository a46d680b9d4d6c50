import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { TextButton } from '../button.tsx';
import type { ShownForm } from '../messages.ts';
import { usePanel } from '../panelContext.ts';
import { t } from '../strings.ts';
import { FormView } from './formView.tsx';

/** The form of a status, or without `seq` of the agent's card; undefined until the host has said that there is one. */
export function useForm(seq: number | undefined, wanted: boolean): ShownForm | undefined {
  const panel = usePanel();
  const [form, setForm] = useState<ShownForm>();
  useEffect(() => {
    let current = true;
    setForm(undefined);
    if (wanted) void panel.form(seq).then(found => { if (current) setForm(found); });
    return () => { current = false; };
  }, [seq, wanted]);
  return form;
}

/** The form with which a new task begins, where the agent's card has one; folded until it is asked for. */
export function CardForm(): JSX.Element | null {
  const panel = usePanel();
  const [open, setOpen] = useState(false);
  const wanted = panel.state.value?.takesForm === true && panel.composer.target.value?.target === 'new-task';
  const shown = useForm(undefined, wanted && open);
  if (!wanted) return null;
  return (
    <div class="card-form">
      <TextButton class="quiet" icon={open ? 'chevron-down' : 'chevron-right'} expanded={open} onClick={() => setOpen(!open)}>{t('Fill in the form of the agent')}</TextButton>
      {open && shown !== undefined && <FormView form={shown.form} seq={undefined} />}
    </div>
  );
}
