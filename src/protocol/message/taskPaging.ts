/** Most pages of one list: an agent that has still more names no end. */
const mostPages = 1_000;

interface Page {
  readonly tasks: readonly unknown[];
  readonly nextPageToken: string;
}

/** Where to go on in a list that comes in pages (ListTasks, A2A 1.0 §3.1.4), so that no agent can be asked for ever. */
export class TaskPaging {
  readonly #tokens = new Set<string>();

  /**
   * The token of the page behind this one; undefined where that was the last: also where the agent repeats a token, has a token and no tasks, or
   * has given a thousand pages.
   */
  next({ tasks, nextPageToken: token }: Page): string | undefined {
    if (token === '' || tasks.length === 0 || this.#tokens.has(token) || this.#tokens.size + 1 >= mostPages) return undefined;
    this.#tokens.add(token);
    return token;
  }
}
