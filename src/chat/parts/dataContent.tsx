import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { TextButton } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import { DataTable, type Table } from './dataTable.tsx';
import { DataTree, Leaf } from './dataTree.tsx';
import { isContainer, sizeOfContainer, tableOf } from './jsonShape.ts';
import type { ContentProps } from './partView.tsx';
import { useSecrets, secretsHidden } from './secrets.ts';

/** A JSON value: similar objects as a table, other objects and lists as a tree, plain values directly. */
export function DataContent({ shown, seq }: ContentProps): JSX.Element | null {
  const [asTree, setAsTree] = useState(false);
  const pointers = useSecrets(seq);
  const own = 'data' in shown.part ? shown.part.data : undefined;
  const data = useMemo(() => secretsHidden(own, pointers ?? []), [own, pointers]);
  const table = useMemo((): Table | undefined => {
    const found = tableOf(data);
    if (found === undefined) return undefined;
    const { columns, rows } = found;
    return {
      columns,
      count: rows.length,
      cell: (row, column) => (Object.hasOwn(rows[row]!, columns[column]!) ? rows[row]![columns[column]!] : undefined),
    };
  }, [data]);
  // Possible passwords are not shown before the host has answered which they are.
  if (pointers === undefined) return <div class="data tree muted">…</div>;
  if (!isContainer(data) || sizeOfContainer(data) === 0)
    return (
      <div class="data tree">
        <Leaf value={data} />
      </div>
    );
  return (
    <div class="data">
      {table !== undefined && !asTree ? <DataTable table={table} /> : <DataTree value={data} />}
      {table !== undefined && (
        <TextButton class="quiet" icon={asTree ? 'table' : 'list-tree'} onClick={() => setAsTree(!asTree)}>
          {asTree ? t('Show as Table') : t('Show as Tree')}
        </TextButton>
      )}
    </div>
  );
}
