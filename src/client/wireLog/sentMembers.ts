import { mask } from './maskedHeaders.ts';
import type { SentPassword } from './wireLog.ts';

/** Masks passwords as values of the members that they were sent in, however short they are: in JSON and in protocol buffers. */
export class SentMembers {
  readonly #pattern: RegExp | undefined;
  readonly #bytes: readonly Uint8Array[];

  constructor(passwords: readonly SentPassword[]) {
    const members = passwords.flatMap(({ name, value }) => {
      const written = value === '' ? '' : (JSON.stringify(value) ?? '');
      return [...new Set([written, written.replaceAll('/', '\\/'), escaped(written), escaped(written, true)])]
        .filter(text => text !== '')
        .map(text => `${literal(JSON.stringify(name))}\\s*:\\s*${literal(text)}(?![\\w.])`);
    });
    this.#pattern = members.length === 0 ? undefined : new RegExp([...new Set(members)].join('|'), 'g');
    this.#bytes = passwords.flatMap(({ value }) => (typeof value === 'string' ? stringValue(Buffer.from(value)) : []));
  }

  get none(): boolean {
    return this.#pattern === undefined;
  }

  mask(text: string): string {
    return this.#pattern === undefined
      ? text
      : text.replace(this.#pattern, member => `${/^"(?:[^"\\]|\\.)*"\s*:\s*/s.exec(member)?.[0] ?? ''}"${mask}"`);
  }

  /** Overwrites them in place. */
  fill(bytes: Buffer): void {
    for (const value of this.#bytes) {
      for (let at = bytes.indexOf(value); at !== -1; at = bytes.indexOf(value, at + value.byteLength))
        bytes.fill('*', at + 2, at + value.byteLength);
    }
  }
}

/** JSON escapes of writers that escape all non-ASCII characters or all HTML characters. */
function escaped(json: string, upper = false): string {
  return json.replaceAll(/[^ -~]|[<>&'+]/g, character => {
    const digits = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${upper ? digits.toUpperCase() : digits}`;
  });
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** `string_value` of google.protobuf.Value, with its tag and length; longer values are found as texts. */
const stringValue = (text: Uint8Array): readonly Uint8Array[] =>
  text.byteLength === 0 || text.byteLength > 127 ? [] : [Buffer.concat([Uint8Array.of(0x1a, text.byteLength), text])];
