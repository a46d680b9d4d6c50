import * as vscode from 'vscode';
import type { EvidenceView } from '../../chat/host/conformanceMessages.ts';
import type { CheckReport } from '../../conformance/checkReport.ts';
import { translate } from '../platform/report.ts';
import type { Conformance } from './conformanceParts.ts';

/** Longest text that is shown where no value of it is marked, in UTF-16 code units. */
const maxText = 20_000;

/** Evidence of a result; undefined if it rests on no exchange. */
export function shownEvidence(run: number, index: number, report: CheckReport, parts: Conformance): EvidenceView | undefined {
  const result = report.results[index];
  const evidence = result && parts.evidenceFor(report, result);
  if (result === undefined || evidence === undefined) return undefined;
  const { exchange, frames, text, marked, came: answered } = evidence;
  const { request, response } = exchange;
  const failure = exchange.failureSentence === undefined ? exchange.failure : translate(exchange.failureSentence);
  const came = text ?? frames.map(({ data }) => data).join('\n\n');
  const place = parts.placeWords(result);
  const headers = request.headers.map(parts.headerLine).join('\n');
  return {
    type: 'evidence',
    run,
    index,
    request: `${request.method} ${request.url}\n${headers}${request.body === '' ? '' : `\n\n${cut(request.body)}`}`,
    before: marked?.before ?? cut(came),
    marked: marked?.marked ?? '',
    after: marked?.after ?? '',
    status: [
      response === undefined ? (failure ?? vscode.l10n.t('no answer')) : `HTTP ${response.status}`,
      ...answered.map(header => cut(parts.headerLine(header))),
      ...(place === undefined ? [] : [translate(place)]),
    ].join(' · '),
    ...(marked !== undefined && { bytes: vscode.l10n.t('bytes {0} to {1} are marked', ...marked.bytes) }),
  };
}

const cut = (text: string): string => (text.length > maxText ? `${text.slice(0, maxText).toWellFormed()}…` : text);
