import type { Exchange, Frame } from '../protocol/exchange.ts';
import type { RecordedExchange, Replaced, Recording } from './recording.ts';

const email = /[\w.%+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}/gi;
/** Domains for documentation (RFC 2606): no address in them is a person's. */
const example = /@(?:[\w-]+\.)*example(?:\.(?:com|net|org))?$/i;

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

  /** @param home the path of the home folder; undefined where there is none */
  constructor(home: string | undefined, own: readonly OwnReplacement[]) {
    // As it stands in JSON on Windows, too; and a home folder such as `/` is in every path.
    this.#homes = home === undefined || home.length < 4 ? [] : [...new Set([JSON.stringify(home).slice(1, -1), home])];
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
        request: { method: request.method, url: this.text(request.url), headers: headers(request.headers), body: this.text(request.body) },
        ...(response !== undefined && {
          response: {
            status: response.status,
            headers: headers(response.headers),
            ...(response.body !== undefined && { body: this.text(response.body) }),
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
          data: this.text(data),
          ...(event !== undefined && { event: this.text(event) }),
          ...(id !== undefined && { id: this.text(id) }),
          ...(around !== undefined && { around: around.map(this.text) }),
        }),
      ),
    };
  }

  /** A value of JSON with all its texts replaced. */
  value(value: unknown): unknown {
    return value === undefined ? undefined : (JSON.parse(this.text(JSON.stringify(value))) as unknown);
  }

  #counted(what: string, by: string): string {
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

/** The recording as it may be given away. */
export function withoutPersonal(recording: RawRecording, replacements: Replacements): Recording {
  const { agent, card, exchanges, ...rest } = recording;
  const clean = {
    ...rest,
    agent: { url: replacements.text(agent.url), ...(agent.name !== undefined && { name: replacements.text(agent.name) }) },
    ...(card !== undefined && { card: replacements.value(card) }),
    exchanges: exchanges.map(one => replacements.exchange(one)),
  };
  return { ...clean, replaced: replacements.replaced };
}
