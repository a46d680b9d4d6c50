import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { TextButton } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import { Leaf } from './dataTree.tsx';
import type { JsonTable } from './jsonShape.ts';

/** Maximum number of rows shown at once. */
const page = 50;

/** Similar objects, one per row. A missing member is an empty cell. */
export function DataTable({ table }: { readonly table: JsonTable }): JSX.Element {
  const [limit, setLimit] = useState(page);
  const rest = table.rows.length - limit;
  return (
    <div class="table" tabIndex={0} role="group" aria-label={t('Table')}>
      <table>
        <thead>
          <tr>
            {table.columns.map(name => (
              <th key={name} scope="col">
                <bdi>{visibleName(name, 80)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, limit).map((row, index) => (
            <tr key={index}>
              {table.columns.map(name => (
                <td key={name} class={typeof row[name] === 'number' ? 'align-right' : ''}>
                  {Object.hasOwn(row, name) && <Leaf value={row[name]} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && (
        <TextButton class="quiet" onClick={() => setLimit(limit + page)}>
          {t('Show {0} More', Math.min(rest, page))}
        </TextButton>
      )}
    </div>
  );
}
