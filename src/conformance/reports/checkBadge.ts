import { countsOf } from '../checkSummary.ts';
import { rulesIn } from '../../protocol/finding.ts';
import { isMust, isUndecided, type CheckReport } from '../checkReport.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import { escapedMarkup } from './escapedMarkup.ts';

/** Widths in pixels of the letters that badges have, at 11 px; of others that of a wide one. */
const narrow = /[ .,:ijl1I]/;
const widthOf = (text: string): number => Math.ceil([...text].reduce((sum, letter) => sum + (narrow.test(letter) ? 4 : 7.2), 0)) + 12;

/** Text and color of a badge: MUSTs that passed, of those that were decided. */
export function badgeText(report: CheckReport): { readonly text: string; readonly color: string } {
  const { results, interfaces, end } = report;
  const musts = results.filter(({ level }) => isMust(level));
  const counts = countsOf(musts);
  // The names of versions, not what the card has for them.
  const versions = new Set(
    interfaces.flatMap(({ obstacle, protocolVersion }) =>
      obstacle === undefined ? (versionOf(protocolVersion)?.protocolVersion ?? []) : [],
    ),
  );
  const decided = rulesIn(musts.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail'));
  const isWhole = end === 'complete' && !isUndecided(report) && counts.inconclusive === 0;
  const text = `${[...versions].join(', ')}: ${decided - counts.fail} of ${decided} MUST${isWhole ? '' : ' (incomplete)'}`;
  return { text, color: counts.fail > 0 ? '#c4322b' : isWhole ? '#2d7d32' : '#6b6b6b' };
}

/** A badge for a README: SVG without script, style or anything that is loaded. */
export function checkBadge(report: CheckReport): string {
  const label = 'A2A';
  const { text, color } = badgeText(report);
  const [left, right] = [widthOf(label), widthOf(text)];
  const said = escapedMarkup(`${label} ${text}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${said}">
  <title>${said}</title>
  <rect width="${left + right}" height="20" rx="3" fill="${color}"/>
  <path d="M3 0h${left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#444"/>
  <g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
    <text x="${left / 2}" y="14">${escapedMarkup(label)}</text>
    <text x="${left + right / 2}" y="14">${escapedMarkup(text)}</text>
  </g>
</svg>
`;
}
