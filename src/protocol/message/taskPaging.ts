/** Most pages of one list, for agents that never stop returning page tokens. */
const maxPages = 1_000;

interface Page {
  readonly tasks: readonly unknown[];
  readonly nextPageToken: string;
}

/** Follows the pages of a list (ListTasks, A2A 1.0 §3.1.4) and makes sure that it ends. */
export class TaskPaging {
  readonly #tokens = new Set<string>();

  /**
   * The token of the next page. Undefined after the last one, and where the list ends although the agent names one more page (`cause`).
   */
  next(page: Page): string | undefined {
    const { nextPageToken: token } = page;
    if (token === '' || this.cause(page) !== undefined) return undefined;
    this.#tokens.add(token);
    return token;
  }

  /** Why a page is the last although it names one more: it has no tasks, its token came before, or it is the thousandth. */
  cause({ tasks, nextPageToken: token }: Page): 'empty' | 'repeated' | 'full' | undefined {
    if (token === '') return undefined;
    if (tasks.length === 0) return 'empty';
    return this.#tokens.has(token) ? 'repeated' : this.#tokens.size + 1 >= maxPages ? 'full' : undefined;
  }
}
