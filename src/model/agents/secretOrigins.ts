import { hint, listOf, Problem, sentence } from '../../protocol/problem.ts';
import { MultiTextSearch } from '../../protocol/secrets/needles.ts';
import { secretSearchTexts, textsIn } from '../../protocol/secrets/secretValues.ts';
import type { UsedValues, SecretDraw } from '../../request/resolve/usedValues.ts';

/** A question to the person before secrets go to an origin for the first time. */
export interface SecretQuestion {
  /** Secret names only. */
  readonly names: readonly string[];
  readonly origin: string;
  readonly agent: string;
  /** An answer of an agent chose the address, and neither the file nor the person. */
  readonly chosenByAnswer: boolean;
  /** The secrets have gone nowhere yet. */
  readonly unsent: boolean;
}

/** Storage of the origins that each secret may go to, by keys that do not reveal its value. */
export interface SecretMemory {
  get(key: string): readonly string[];
  put(key: string, origins: readonly string[]): void;
}

interface SecretOriginsOptions {
  readonly memory?: SecretMemory;
  /** Origins that may have every secret, as `URL.origin` writes them. */
  readonly allowed?: readonly string[];
  /** True for an origin that the person has named: a stored secret that has gone nowhere yet may go there. Left out, it may go anywhere first. */
  readonly isNamed?: (origin: string) => boolean;
  /** Origins that the person typed: variables of the environment that are no credentials may go there. As `URL.origin` writes them. */
  readonly typed?: readonly string[];
  /** Asks the person; without it, what is not allowed is refused. */
  readonly ask?: (question: SecretQuestion) => Promise<boolean>;
}

/** Where a request is about to go. */
interface SecretTarget {
  readonly agent: string;
  /** Addresses of the interfaces that it goes to. */
  readonly urls: readonly string[];
  readonly chosenByAnswer: boolean;
  /** A request file wants it: variables of the environment are then as its private values. */
  readonly ofFile?: boolean;
  /** The person's own settings name that origin. */
  readonly ownAgent?: boolean;
  /** No prompt can be shown: secrets that need approval are refused. */
  readonly quiet?: boolean;
}

/** Secrets are bound to the origins they were first sent to. */
export class SecretOrigins {
  readonly #memory: SecretMemory;
  readonly #allowed: ReadonlySet<string>;
  readonly #ask: SecretOriginsOptions['ask'];
  readonly #isNamed: (origin: string) => boolean;
  readonly #typed: ReadonlySet<string>;
  /** Secrets that were sent, in the forms in which an agent may repeat them. */
  readonly #sent = new Map<string, { readonly draw: SecretDraw; readonly needles: MultiTextSearch }>();
  /** One question after the other: what is answered with yes is not asked again. */
  #last: Promise<void> = Promise.resolve();

  constructor({ memory = memoryOfOneRun(), allowed = [], typed = [], ask, isNamed = () => true }: SecretOriginsOptions = {}) {
    this.#typed = new Set(typed);
    this.#isNamed = isNamed;
    this.#memory = memory;
    this.#allowed = new Set(allowed);
    this.#ask = ask;
  }

  /**
   * Lets a request go to where it is about to go. Rejects with a `Problem` `secret-elsewhere` where it holds a secret that may not go there.
   * @param request as it would be sent; what it quotes of answers may hold secrets that were sent before.
   */
  release(drawn: UsedValues, request: unknown, target: SecretTarget): Promise<void> {
    const secrets = new Map(drawn.secrets);
    if (drawn.answers) for (const [key, draw] of this.#quotedIn(request)) secrets.set(key, draw);
    if (secrets.size === 0) return Promise.resolve();
    if (target.quiet === true) return this.#release([...secrets.values()], target);
    const released = this.#last.then(() => this.#release([...secrets.values()], target));
    this.#last = released.catch(() => {});
    return released;
  }

  /** Adds origins that a secret may go to without approval. */
  bind(draw: SecretDraw, origins: readonly string[]): void {
    for (const origin of origins) this.#bind(draw, origin);
  }

  async #release(secrets: readonly SecretDraw[], target: SecretTarget): Promise<void> {
    const { agent, urls, chosenByAnswer, ownAgent, quiet } = target;
    for (const { origin } of urls.map(url => new URL(url))) {
      const foreign = ownAgent === true ? [] : secrets.filter(draw => !this.#mayGo(draw, origin, target));
      const names = [...new Set(foreign.map(({ name }) => name))];
      const unsent = foreign.every(draw => this.#boundTo(draw).length === 0);
      const asked = foreign.length === 0 || quiet === true ? undefined : this.#ask?.({ names, origin, agent, chosenByAnswer, unsent });
      if (foreign.length > 0 && (await asked) !== true) throw refused(names, origin, chosenByAnswer, unsent);
      for (const draw of secrets) this.#bind(draw, origin);
    }
  }

  #mayGo(draw: SecretDraw, origin: string, { chosenByAnswer, ofFile = false }: SecretTarget): boolean {
    const bound = this.#boundTo(draw);
    return (
      this.#allowed.has(origin) ||
      (draw.isShown === true && this.#typed.has(origin)) ||
      bound.includes(origin) ||
      (bound.length === 0 && !chosenByAnswer && (isOfFile(draw.key, ofFile) || this.#isNamed(origin)))
    );
  }

  /** Where a secret has gone, under whichever name: `{{$secret a-b}}`, `{{$secret A_B}}` and `{{$env A2A_SECRET_A_B}}` are one in a terminal. */
  #boundTo({ key, value, isShown }: SecretDraw): readonly string[] {
    const bound = this.#memory.get(key);
    if (isShown === true || typeof value !== 'string' || value.length < shortestSame) return bound;
    const same = [...this.#sent.values()].filter(({ draw }) => draw.key !== key && draw.value === value && draw.isShown !== true);
    return same.length === 0 ? bound : [...new Set([...bound, ...same.flatMap(({ draw }) => this.#memory.get(draw.key))])];
  }

  #bind(draw: SecretDraw, origin: string): void {
    const bound = this.#memory.get(draw.key);
    // Approval for one run does not make the secret belong to the origin.
    if (!bound.includes(origin) && !(this.#allowed.has(origin) && bound.length > 0)) this.#memory.put(draw.key, [...bound, origin]);
    if (this.#sent.has(draw.key)) return;
    const needles = new MultiTextSearch();
    // Any word may be the value of a variable: an agent that repeats it does not necessarily have it from there.
    if (draw.isShown !== true) for (const text of textsIn(draw.value)) for (const needle of secretSearchTexts(text)) needles.add(needle);
    this.#sent.set(draw.key, { draw, needles });
  }

  #quotedIn(request: unknown): readonly (readonly [string, SecretDraw])[] {
    const text = JSON.stringify(request);
    return [...this.#sent].filter(([, { needles }]) => needles.findIn(text).length > 0).map(([key, { draw }]) => [key, draw] as const);
  }
}

/** Shorter values are equal by chance, in UTF-16 code units. */
const shortestSame = 4;

/**
 * A private value of an environment, or an answer that was just typed: neither is stored for other files to use. Variables of the environment
 * have long been there for every file; for agents of settings they are as stored secrets.
 */
const isOfFile = (key: string, ofFile: boolean): boolean => (ofFile ? /^(?:private|prompt|env) / : /^(?:private|prompt) /).test(key);

function memoryOfOneRun(): SecretMemory {
  const origins = new Map<string, readonly string[]>();
  return { get: key => origins.get(key) ?? [], put: (key, all) => void origins.set(key, all) };
}

function refused(names: readonly string[], origin: string, chosenByAnswer: boolean, unsent: boolean): Problem {
  const secrets = listOf(names);
  return new Problem(
    'secret-elsewhere',
    chosenByAnswer
      ? sentence("The request was not sent: it contains the secret {0}, and an agent's answer chose its destination: {1}.", secrets, origin)
      : unsent
        ? sentence(
            'The request was not sent: the secret {0} would go to {1}, which is not the address of an agent in your user settings.',
            secrets,
            origin,
          )
        : sentence('The request was not sent: the secret {0} was first sent elsewhere, and would now go to {1}.', secrets, origin),
    {
      nextStep: hint(
        sentence('If you trust that address, send the request again and allow it.', origin),
        'If you trust that address, run it with --allow-origin {0}.',
      ),
    },
  );
}
