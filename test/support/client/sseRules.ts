/** One event as it is read. */
export type Seen = readonly [data: string, event?: string, id?: string];

export interface Stream {
  readonly bytes: string | Uint8Array;
  readonly seen: readonly Seen[];
}

/** The rules for parsing an event stream (WHATWG HTML §9.2.5 and §9.2.6), one per row. */
export const rules: Readonly<Record<string, Stream>> = {
  'a line ends with a line feed': { bytes: 'data: {"a":1}\n\ndata: {"b":2}\n\n', seen: [['{"a":1}'], ['{"b":2}']] },
  'a line ends with a carriage return and a line feed': {
    bytes: 'data: {"a":1}\r\n\r\ndata: {"b":2}\r\n\r\n',
    seen: [['{"a":1}'], ['{"b":2}']],
  },
  'a line ends with a carriage return alone': { bytes: 'data: {"a":1}\r\rdata: {"b":2}\r\r', seen: [['{"a":1}'], ['{"b":2}']] },
  'line ends may be mixed': { bytes: 'data: 1\r\ndata: 2\rdata: 3\n\r\ndata: 4\r\r\n', seen: [['1\n2\n3'], ['4']] },
  'other separators end no line': {
    bytes: 'data: a\u2028b\u2029c\u0085d\u000be\u000cf\n\n',
    seen: [['a\u2028b\u2029c\u0085d\u000be\u000cf']],
  },
  'a byte order mark at the start is no content': { bytes: '\uFEFFdata: {"a":1}\n\n', seen: [['{"a":1}']] },
  'a second byte order mark is content': { bytes: '\uFEFF\uFEFFdata: 1\n\ndata: 2\n\n', seen: [['2']] },
  'a byte order mark later is content': { bytes: 'data: \uFEFF1\n\n\uFEFFdata: 2\n\n', seen: [['\uFEFF1']] },
  'bytes are UTF-8, of one to four bytes a letter': { bytes: 'data: {"a":"aäあ🚢"}\n\n', seen: [['{"a":"aäあ🚢"}']] },
  'bytes that are no UTF-8 are replaced': {
    bytes: Uint8Array.of(...Buffer.from('data: a'), 0xff, 0xc3, ...Buffer.from('b\n\n')),
    seen: [['a\uFFFD\uFFFDb']],
  },
  'a blank line ends an event': { bytes: 'data: 1\n\ndata: 2\n\n', seen: [['1'], ['2']] },
  'more blank lines end nothing': { bytes: '\n\n\ndata: 1\n\n\n\ndata: 2\n\n\n', seen: [['1'], ['2']] },
  'a line that begins with a colon is a comment': { bytes: ': ping\n\ndata: {"a":1}\n\n:\n\n', seen: [['{"a":1}']] },
  'a comment does not part an event': { bytes: 'data: 1\n: ping\ndata: 2\n\n', seen: [['1\n2']] },
  'a space after the colon may be missing': { bytes: 'data:{"a":1}\n\n', seen: [['{"a":1}']] },
  'one space after the colon is taken off, no more': { bytes: 'data:  1 \n\ndata:\t2\n\n', seen: [[' 1 '], ['\t2']] },
  'what comes after the first colon is the value': { bytes: 'data: a: b:c\n\ndata:: d\n\n', seen: [['a: b:c'], [': d']] },
  'a line without a colon is a field without a value': { bytes: 'data\n\ndata\ndata\n\n', seen: [[''], ['\n']] },
  'several data lines are joined by line feeds': { bytes: 'data: {\ndata: "a": 1\ndata: }\n\n', seen: [['{\n"a": 1\n}']] },
  'an empty data line is a line of the data': { bytes: 'data: 1\ndata:\ndata: 2\n\n', seen: [['1\n\n2']] },
  'an event without data is none': { bytes: 'event: ping\nid: 1\n\ndata: 1\n\n', seen: [['1']] },
  'the name of an event is its last one': { bytes: 'event: a\nevent: b\ndata: 1\n\n', seen: [['1', 'b']] },
  'the name of an event is not that of the next': { bytes: 'event: error\ndata: 1\n\ndata: 2\n\n', seen: [['1', 'error'], ['2']] },
  'an id stands with the data, before or after it': {
    bytes: 'event: error\nid: 7\ndata: {"a":1}\n\ndata: 2\nid: 8\nevent: x\n\n',
    seen: [
      ['{"a":1}', 'error', '7'],
      ['2', 'x', '8'],
    ],
  },
  'an id with a NUL is none': { bytes: 'id: 1\u00002\nevent: x\ndata: 1\n\n', seen: [['1', 'x']] },
  'retry is no content, whatever it says': { bytes: 'retry: 10\ndata: 1\nretry: soon\n\nretry\ndata: 2\n\n', seen: [['1'], ['2']] },
  'unknown fields are passed over': { bytes: 'x: y\ndata: {"a":1}\nkind\n\n', seen: [['{"a":1}']] },
  'what is plain at first may become anything': {
    bytes: 'data: 1\n\ndata: 2\n\n\uFEFFdata: 3\n\nevent: x\ndata: 4\n\ndata: 5\r\n\r\ndata: 6\n\n',
    seen: [['1'], ['2'], ['4', 'x'], ['5'], ['6']],
  },
  'a field is known by its exact name': { bytes: 'Data: 1\n data: 2\ndata : 3\ndatax: 4\nDATA\ndata: 5\n\n', seen: [['5']] },
};

/** Deviations from the standard, for servers that omit the last blank line. */
export const ends: Readonly<Record<string, Stream>> = {
  'no last blank line': { bytes: 'data: {"a":1}\n\ndata: {"b":2}\n', seen: [['{"a":1}'], ['{"b":2}']] },
  'no last line end': { bytes: 'data: {"b":2}', seen: [['{"b":2}']] },
  'an end inside a comment': { bytes: 'data: {"a":1}\n\n: pi', seen: [['{"a":1}']] },
  nothing: { bytes: '', seen: [] },
};
