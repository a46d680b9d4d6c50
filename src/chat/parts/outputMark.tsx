import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../widgets/button.tsx';
import type { DataFault } from '../host/messages.ts';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visible } from '../text/visible.ts';

/** Shows whether a part matches the schema that the person's message asked for; nothing where it asked for none. */
export function OutputMark({ seq, index }: { readonly seq: number; readonly index: number }): JSX.Element | null {
  const panel = usePanel();
  const asked = panel.transcript.askedSchemaOf(seq);
  const [faults, setFaults] = useState<readonly DataFault[]>();
  useEffect(() => {
    let current = true;
    setFaults(undefined);
    if (asked !== undefined)
      void panel.checkOutput(seq, index, asked).then(found => {
        if (current) setFaults(found);
      });
    return () => {
      current = false;
    };
  }, [seq, index, asked]);
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
