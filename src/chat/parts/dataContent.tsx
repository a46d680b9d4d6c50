import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { TextButton } from '../button.tsx';
import { Code } from '../markdown/code.tsx';
import { t } from '../strings.ts';
import { firstLines, lineCount } from './lines.ts';
import type { ContentProps } from './partView.tsx';

/** Lines that are shown of long data until more is asked for. */
const folded = 16;
/** Characters that are put into the page at all. */
const maxShown = 200_000;

/** Any JSON value, indented and coloured; long ones are folded. */
export function DataContent({ shown }: ContentProps): JSX.Element | null {
  const [open, setOpen] = useState(false);
  const data = 'data' in shown.part ? shown.part.data : undefined;
  const json = useMemo(() => JSON.stringify(data, null, 2) ?? '', [data]);
  const lines = useMemo(() => lineCount(json), [json]);
  const long = lines > folded + 4;
  const code = (long && !open ? firstLines(json, folded) : json).slice(0, maxShown);
  return (
    <div class="data">
      <pre tabIndex={0}><Code code={code} language="json" /></pre>
      {long && (
        <TextButton icon={open ? 'chevron-up' : 'chevron-down'} class="quiet" expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('Show less') : t('Show all {0} lines', lines)}
        </TextButton>
      )}
      {json.length > maxShown && open && <div class="note">{t('This is long: only a part is shown here. The editor shows all of it.')}</div>}
    </div>
  );
}
