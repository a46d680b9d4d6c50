import type { Exchange, Frame } from '../protocol/exchange.ts';

/** Most contexts of one run that are reported. */
const maxContexts = 1_000;
/** Longest text that is looked through, in UTF-16 code units: the context stands near the beginning of a task. */
const maxLooked = 64 * 1024;

/** Probes that write their own bodies send messages, too. */
const sends = /Send(?:Streaming)?Message|message[/:](?:send|stream)/;
const contextId = /"contextId"\s*:\s*("(?:[^"\\]|\\.)*")/;

/** Tells of each context in which an agent answers what a check sends to it, once. */
export class MadeContexts {
  readonly #onMade: (contextId: string) => void;
  readonly #made = new Set<string>();
  /** Ids of the exchanges that sent a message. */
  readonly #sending = new Set<string>();

  constructor(onMade: (contextId: string) => void) {
    this.#onMade = onMade;
  }

  exchange({ id, operation, request, response }: Exchange): void {
    if (!sends.test(operation === 'Raw' ? `${request.url} ${request.body.slice(0, maxLooked)}` : operation)) return;
    this.#sending.add(id);
    if (response?.body !== undefined) this.#look(response.body);
  }

  frames(exchangeId: string, frames: readonly Frame[]): void {
    if (this.#sending.has(exchangeId)) for (const { data } of frames) this.#look(data);
  }

  #look(text: string): void {
    const [, quoted] = contextId.exec(text.slice(0, maxLooked)) ?? [];
    if (quoted === undefined || this.#made.size >= maxContexts) return;
    const made = textIn(quoted);
    if (made === undefined || made === '' || this.#made.has(made)) return;
    this.#made.add(made);
    this.#onMade(made);
  }
}

/** The text that a JSON string writes; undefined where it is none. */
function textIn(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
