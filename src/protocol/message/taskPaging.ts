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
   * The token of the next page. Undefined after the last one, and where the agent repeats a token, sends a token without tasks, or has sent
   * 1000 pages.
   */
  next({ tasks, nextPageToken: token }: Page): string | undefined {
    if (token === '' || tasks.length === 0 || this.#tokens.has(token) || this.#tokens.size + 1 >= maxPages) return undefined;
    this.#tokens.add(token);
    return token;
  }
}
