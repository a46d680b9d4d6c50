import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';

/** Scheme of reports on sign-ins; see `SignInReports`. */
const scheme = 'a2a-sign-in';
/** Reports that are kept; older ones are gone from their editors when these are shown again. */
const maxReports = 20;

/** Reports on sign-ins as documents. They are kept in memory alone. */
export class SignInReports {
  readonly #documents: ReadOnlyDocuments;
  readonly #texts = new Map<string, string>();
  #count = 0;

  constructor(documents: ReadOnlyDocuments) {
    this.#documents = documents.add(scheme, { extension: 'a2a-report', render: key => this.#texts.get(key) });
  }

  async show(agent: string, text: string): Promise<void> {
    const key = String(++this.#count);
    this.#texts.set(key, text);
    for (const old of [...this.#texts.keys()].slice(0, -maxReports)) this.#texts.delete(old);
    await this.#documents.open(scheme, agent, key);
  }
}
