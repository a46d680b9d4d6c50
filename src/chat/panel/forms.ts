import type { SendingOptions } from '../host/draft.ts';
import type { HostRequests } from '../host/hostRequests.ts';
import type { KeptForms } from '../host/keptState.ts';
import type { DataFault, Requests, ShownForm } from '../host/messages.ts';

/** Forms whose unsent contents are kept. */
const maxForms = 5;

interface FormsNeeds {
  readonly host: HostRequests;
  /** Sends something as the next message is sent, with its options; resolves to false where it was not accepted. */
  readonly whileSending: (send: (options: SendingOptions) => Promise<boolean>) => Promise<boolean>;
  /** Called when an unsent content has changed. */
  readonly keep: () => void;
}

/** Forms of the agent: each of a status by its seq, or without `seq` the one of the agent's card. Their unsent contents survive a reload. */
export class Forms {
  #contents: KeptForms = {};
  readonly #needs: FormsNeeds;

  constructor(needs: FormsNeeds) {
    this.#needs = needs;
  }

  /** The form; undefined where there is none. */
  async get(seq: number | undefined): Promise<ShownForm | undefined> {
    return (await this.#needs.host.answer('form', ofSeq(seq))) ?? undefined;
  }

  async check(seq: number | undefined, json: string): Promise<readonly DataFault[]> {
    return (await this.#needs.host.answer('checkForm', { ...ofSeq(seq), json })) ?? [];
  }

  /** Faults of the data: none where it was sent. Undefined where the host did not accept it; the error is then on show. */
  async send(
    seq: number | undefined,
    answer: Pick<Requests['sendForm']['params'], 'json' | 'button' | 'anyway'>,
    words: string,
  ): Promise<readonly DataFault[] | undefined> {
    let faults: readonly DataFault[] | undefined;
    await this.#needs.whileSending(async sending => {
      faults = await this.#needs.host.answer('sendForm', {
        ...ofSeq(seq),
        ...answer,
        ...(words.trim() === '' ? {} : { text: words }),
        ...(Object.keys(sending).length > 0 && { sending }),
      });
      return faults?.length === 0;
    });
    return faults;
  }

  get contents(): KeptForms {
    return this.#contents;
  }

  restore(contents: KeptForms): void {
    this.#contents = contents;
  }

  /** Unsent content of a form. */
  content(key: string): KeptForms[string] | undefined {
    return Object.hasOwn(this.#contents, key) ? this.#contents[key] : undefined;
  }

  keep(key: string, typed: KeptForms[string] | undefined): void {
    const others = Object.entries(this.#contents)
      .filter(([name]) => name !== key)
      .slice(1 - maxForms);
    this.#contents = Object.fromEntries(typed === undefined ? others : [...others, [key, typed]]);
    this.#needs.keep();
  }
}

const ofSeq = (seq: number | undefined): { readonly seq?: number } => (seq === undefined ? {} : { seq });
