import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { CodeBlock } from '../markdown/code.tsx';
import { TextButton } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import { DataTable } from './dataTable.tsx';
import { delimitedTable, readDelimited } from './delimited.ts';

/** CSV or TSV as a table, or as the text that it is; text that is no table stays text. */
export function DelimitedContent({ text, delimiter }: { readonly text: string; readonly delimiter: string }): JSX.Element {
  const [asText, setAsText] = useState(false);
  const table = useMemo(() => {
    const read = readDelimited(text, delimiter);
    if (read === undefined) return undefined;
    const { columns, rows } = delimitedTable(read);
    return { columns, count: rows.length, cell: (row: number, column: number): unknown => rows[row]?.[column] };
  }, [text, delimiter]);
  const code = <CodeBlock code={text} language="" />;
  if (table === undefined) return code;
  return (
    <div class="data">
      {asText ? code : <DataTable table={table} />}
      <TextButton class="quiet" icon={asText ? 'table' : 'file'} onClick={() => setAsText(!asText)}>
        {asText ? t('As Table') : t('As Text')}
      </TextButton>
    </div>
  );
}
