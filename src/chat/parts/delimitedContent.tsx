import type { JSX } from 'preact';
import { LongNote } from '../widgets/longNote.tsx';
import { useMemo, useState } from 'preact/hooks';
import type { Requests } from '../host/messages.ts';
import { CodeBlock } from '../markdown/code.tsx';
import { TextButton } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import { DataTable } from './dataTable.tsx';
import { delimitedTable, readDelimited } from './delimited.ts';

interface DelimitedProps {
  readonly text: string;
  readonly delimiter: string;
  /** Request that copies all of it, where the text is only the beginning. */
  readonly whole?: Requests['copyWhole']['params'] | undefined;
}

/** CSV or TSV as a table, or as the text that it is; text that is no table stays text. */
export function DelimitedContent({ text, delimiter, whole }: DelimitedProps): JSX.Element {
  const [asText, setAsText] = useState(false);
  const table = useMemo(() => {
    const read = readDelimited(whole !== undefined ? text.slice(0, text.lastIndexOf('\n') + 1) : text, delimiter);
    return read && delimitedTable(read);
  }, [text, delimiter]);
  const code = <CodeBlock code={text} language="" whole={whole} />;
  if (table === undefined) return code;
  return (
    <div class="data">
      {asText ? code : <DataTable table={table} />}
      {whole !== undefined && !asText && <LongNote />}
      <TextButton class="quiet" icon={asText ? 'table' : 'file'} onClick={() => setAsText(!asText)}>
        {asText ? t('As Table') : t('As Text')}
      </TextButton>
    </div>
  );
}
