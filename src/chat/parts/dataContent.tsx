import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { TextButton } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import { DataTable } from './dataTable.tsx';
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
  const table = useMemo(() => tableOf(data), [data]);
  // Possible passwords are not shown before the host has said which they are.
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
