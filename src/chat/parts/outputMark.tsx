import type { JSX } from 'preact';
import { Icon } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visible } from '../text/visible.ts';
import { useLoaded } from '../widgets/useLoaded.ts';

/** Shows whether a part matches the schema that the person's message asked for; nothing where it asked for none. */
export function OutputMark({ seq, index }: { readonly seq: number; readonly index: number }): JSX.Element | null {
  const panel = usePanel();
  const asked = panel.transcript.askedSchemaOf(seq);
  const faults = useLoaded(
    () => (asked === undefined ? undefined : panel.host.answer('checkOutput', { seq, part: index, asked })),
    [seq, index, asked],
  );
  if (faults === undefined) return null;
  if (faults.length === 0)
    return (
      <div class="output-mark">
        <Icon name="pass" /> {t('Matches the requested schema')}
      </div>
    );
  return (
    <div class="output-mark bad">
      <Icon name="error" /> {t('Does not match the requested schema:')}
      <ul>
        {faults.map(({ pointer, message }, at) => (
          <li key={at}>{visible(`${pointer || '/'} ${message}`)}</li>
        ))}
      </ul>
    </div>
  );
}
