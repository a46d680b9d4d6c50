import type { JSX } from 'preact';
import type { ShownResume } from '../host/conformanceMessages.ts';
import { t } from '../text/strings.ts';
import { VerdictIcon } from './verdictIcon.tsx';

/** Streams that were cut, a table for each interface: a row for each event after which one was. */
export const ResumeTables = ({ of: sections }: { readonly of: readonly ShownResume[] }): JSX.Element => (
  <section class="resume">
    <h2>{t('Streams Cut and Resumed')}</h2>
    {sections.map(({ interface: title, columns, rows, remarks }) => (
      <>
        <p class="address">{title}</p>
        {rows.length > 0 && (
          <table>
            <thead>
              <tr>
                {columns.map(column => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ after, how, outcome, details, verdict }) => (
                <tr key={after}>
                  <th scope="row">{after}</th>
                  <td>{how}</td>
                  <td>
                    <VerdictIcon verdict={verdict} /> <strong class={verdict}>{outcome}</strong>
                    {details !== undefined && (
                      <span class="muted" dir="auto">
                        {' '}
                        {details}
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {remarks.map(remark => (
          <p key={remark} class="muted">
            {remark}
          </p>
        ))}
      </>
    ))}
  </section>
);
