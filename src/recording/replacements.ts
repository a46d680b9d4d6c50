import type { Exchange, Frame } from '../protocol/exchange.ts';
import { isObject } from '../protocol/json.ts';
import { parseExactly, writeExactly } from '../protocol/json/exactJson.ts';
import type { RecordedExchange, Replaced, Recording } from './recording.ts';

const email = /[\w.%+-]{1,64}(?:@|%40)(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}/gi;
/** Domains for documentation (RFC 2606): no address in them is a person's. */
const example = /(?:@|%40)(?:[\w-]+\.)*example(?:\.(?:com|net|org))?$/i;

/** A text or pattern of the person's, and what stands for it. */
export interface OwnReplacement {
  readonly pattern: RegExp;
  readonly by: string;
}

/** Reads `TEXT=WITH`, or `/PATTERN/=WITH`; undefined for a pattern that is no regular expression. Without `=`, an ellipsis takes its place. */
export function ownReplacement(written: string): OwnReplacement | undefined {
  const at = written.lastIndexOf('=');
  const [wanted, by] = at <= 0 ? [written, '…'] : [written.slice(0, at), written.slice(at + 1)];
  const pattern = /^\/(.+)\/$/s.exec(wanted)?.[1] ?? wanted.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  try {
    return { pattern: new RegExp(pattern, 'g'), by };
  } catch {
    return undefined;
  }
}

/** Takes out of a recording what says whose machine it was made on: the home folder, e-mail addresses and what the person adds. */
export class Replacements {
  readonly #homes: readonly string[];
  readonly #own: readonly OwnReplacement[];
  readonly #addresses = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  #times = 0;

  /** @param home the path of the home folder; undefined where there is none */
  constructor(home: string | undefined, own: readonly OwnReplacement[]) {
    // In an address, too; and a home folder such as `/` is in every path.
    this.#homes = home === undefined || home.length < 4 ? [] : [...new Set([home, encodeURI(home), home.replaceAll('\\', '/')])];
    this.#own = own;
  }

  get replaced(): readonly Replaced[] {
    return [...this.#counts].map(([what, times]) => ({ what, times }));
  }

  readonly text = (text: string): string => {
    let now = text;
    for (const { pattern, by } of this.#own) now = now.replaceAll(pattern, () => this.#counted(by, by));
    for (const home of this.#homes) now = now.replaceAll(home, () => this.#counted('home folder', '~'));
    return now.replaceAll(email, address => (example.test(address) ? address : this.#counted('e-mail addresses', this.#nameFor(address))));
  };

  /** The same exchange without the bytes of bodies that are no text: they would tell what the text does not. */
  exchange({ exchange, frames }: RecordedExchange): RecordedExchange {
    const { request, response, failure, failureSentence: _, ...rest } = exchange;
    const headers = (of: Exchange['request']['headers']) => of.map(([name, value]) => [name, this.text(value)] as const);
    return {
      exchange: {
        ...rest,
        request: { method: request.method, url: this.text(request.url), headers: headers(request.headers), body: this.body(request.body) },
        ...(response !== undefined && {
          response: {
            status: response.status,
            headers: headers(response.headers),
            ...(response.body !== undefined && { body: this.body(response.body) }),
            ...(response.truncated === true && { truncated: true }),
          },
        }),
        ...(failure !== undefined && { failure: this.text(failure) }),
        findings: exchange.findings.map(({ sentence: __, ...finding }) => ({
          ...finding,
          pointer: this.text(finding.pointer),
          message: this.text(finding.message),
        })),
      },
      frames: frames.map(
        ({ seq, at, data, event, id, around }): Frame => ({
          seq,
          at,
          data: this.body(data),
          ...(event !== undefined && { event: this.text(event) }),
          ...(id !== undefined && { id: this.text(id) }),
          ...(around !== undefined && { around: around.map(this.text) }),
        }),
      ),
    };
  }

  /**
   * A body or the data of an event. In JSON, texts are replaced as they are read, however they are escaped, and it stays JSON; where nothing is
   * replaced, it stays as it came.
   */
  body(text: string): string {
    let value: unknown;
    try {
      value = parseExactly(text);
    } catch {
      return this.text(text);
    }
    const before = this.#times;
    const replaced = this.value(value);
    return this.#times === before ? text : writeExactly(replaced, 0);
  }

  /** A value of JSON with all its texts and names replaced. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map(each => this.value(each));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [this.text(name), this.value(inner)]));
  }

  #counted(what: string, by: string): string {
    this.#times++;
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    return by;
  }

  /** One name for one address, so that who is who stays clear. */
  #nameFor(address: string): string {
    const key = address.toLowerCase();
    const known = this.#addresses.get(key) ?? `person${this.#addresses.size + 1}@example.com`;
    this.#addresses.set(key, known);
    return known;
  }
}

/** A recording before anything is replaced. */
type RawRecording = Omit<Recording, 'replaced'>;

/** An address without its user, password and parameters, any of which may be a credential. */
function withoutQuery(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/** The recording as it may be given away. */
export function withoutPersonal(recording: RawRecording, replacements: Replacements): Recording {
  const { agent, card, exchanges, ...rest } = recording;
  const clean = {
    ...rest,
    agent: { url: replacements.text(withoutQuery(agent.url)), ...(agent.name !== undefined && { name: replacements.text(agent.name) }) },
    ...(card !== undefined && { card: replacements.value(card) }),
    exchanges: exchanges.map(one => replacements.exchange(one)),
  };
  return { ...clean, replaced: replacements.replaced };
}
