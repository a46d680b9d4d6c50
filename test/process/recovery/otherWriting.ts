/** An event in other words, or with something before it that a reader of server-sent events passes over (WHATWG HTML §9.2.6). */
export const writtenOtherwise = {
  'comments before an event': event => Buffer.concat([Buffer.from(': ping\n\n:\n\n'), event]),
  'an event without data before an event': event => Buffer.concat([Buffer.from('event: ping\nid: 1\n\n'), event]),
  'fields that nobody knows': event => Buffer.concat([Buffer.from('colour: blue\nretry: 10\nretry: soon\n'), event]),
  'lines that end as in Windows': event => Buffer.from(event.toString().replaceAll('\n', '\r\n')),
  'an event in several lines': event => Buffer.from(event.toString().replace(/^data: ?\{/m, 'data: {\ndata: ')),
  'more blank lines': event => Buffer.concat([Buffer.from('\n\n\n'), event, Buffer.from('\n')]),
} as const satisfies Record<string, (event: Buffer) => Buffer>;
