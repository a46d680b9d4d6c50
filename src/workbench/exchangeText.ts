import type { Exchange, Frame, Headers } from '../protocol/exchange.ts';

const headerLines = (headers: Headers): string[] => headers.map(([name, value]) => `${name}: ${value}`);
const after = (at: number | undefined, start: number): string => (at === undefined ? '' : `+${(at - start).toFixed(1)} ms`);

/** JSON bodies are indented for reading; anything else stands as it was. */
export function readableBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** What was no text on the wire stands as it was below what it says. */
const bytesLine = (bytes: string | undefined): string[] => (bytes === undefined ? [] : [`# Bytes, in base64: ${bytes}`]);

/**
 * An exchange as a text to read: request, response, and every event with its time. Credentials were masked before the exchange was
 * kept; frames stand exactly as they were on the wire.
 */
export function exchangeText({ exchange, frames }: { readonly exchange: Exchange; readonly frames: readonly Frame[] }): string {
  const { request, response, startedAt } = exchange;
  const lines = [
    `# ${exchange.operation} · ${exchange.protocolBinding} ${exchange.protocolVersion} · ${new Date(startedAt).toISOString()}`,
    '',
    ...exchange.findings.map(finding => `# ${finding.rule} ${finding.pointer || '/'}: ${finding.message}`),
    ...(exchange.findings.length > 0 ? [''] : []),
    `${request.method} ${request.url}`,
    ...headerLines(request.headers),
    '',
    readableBody(request.body),
    ...bytesLine(request.bytes),
    '',
  ];
  if (response !== undefined) {
    lines.push(`# Response ${after(exchange.headersAt, startedAt)}`, `HTTP ${response.status}`, ...headerLines(response.headers), '');
    if (response.body !== undefined) lines.push(readableBody(response.body), ...bytesLine(response.bytes), '');
    if (response.truncated === true) lines.push('# The body was longer than the limit and is cut here.', '');
  }
  for (const frame of frames) {
    lines.push(`# Event ${frame.seq} ${after(frame.at, startedAt)}`);
    if (frame.event !== undefined) lines.push(`event: ${frame.event}`);
    if (frame.id !== undefined) lines.push(`id: ${frame.id}`);
    lines.push(...frame.data.split('\n').map(line => `data: ${line}`), ...bytesLine(frame.bytes), '');
  }
  if (response?.trailers !== undefined) lines.push('# Trailers', ...headerLines(response.trailers), '');
  if (exchange.failure !== undefined) lines.push(`# ${exchange.failure}`);
  lines.push(exchange.endedAt === undefined ? '# Still open.' : `# Ended ${after(exchange.endedAt, startedAt)}`);
  return lines.join('\n');
}
