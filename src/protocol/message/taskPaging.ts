import { type Finding, findingOf } from '../finding.ts';
import { sentence } from '../problem.ts';
import type { ListTasksResponse } from './operations.ts';

/** Most pages of one list, for agents that never stop returning page tokens. */
const maxPages = 1_000;

export type PagingFault = 'empty' | 'known' | 'repeated' | 'full';

interface Page extends Pick<ListTasksResponse, 'nextPageToken' | 'totalSize'> {
  readonly tasks: readonly { readonly id: string }[];
}

/** Follows the pages of a list (ListTasks, A2A 1.0 §3.1.4) and makes sure that it ends. */
export class TaskPaging {
  readonly #tokens = new Set<string>();
  readonly #taskIds = new Set<string>();
  #reported: number | undefined;

  /** Number of tasks on the pages so far, each counted once. */
  get count(): number {
    return this.#taskIds.size;
  }

  /** How many tasks there are, as the latest page says; undefined where it does not. */
  get reported(): number | undefined {
    return this.#reported;
  }

  /** The deviation of a page that gives the list another size than the page before; undefined for others. */
  sizeChange({ totalSize }: Page): Finding | undefined {
    if (this.#reported === undefined || typeof totalSize !== 'number' || totalSize === this.#reported) return undefined;
    return findingOf('LIST-07', '/totalSize', sentence('totalSize is {0}; on the page before it was {1}.', totalSize, this.#reported));
  }

  /**
   * The token of the next page. Undefined after the last one, and where the list ends although the agent names one more page (`cause`).
   */
  next(page: Page): string | undefined {
    const { nextPageToken: token = '' } = page;
    const isLast = token === '' || this.cause(page) !== undefined;
    this.#reported = typeof page.totalSize === 'number' ? page.totalSize : undefined;
    for (const { id } of page.tasks) this.#taskIds.add(id);
    if (isLast) return undefined;
    this.#tokens.add(token);
    return token;
  }

  /** Why a page is the last although it names one more: it has no tasks or no new ones, its token came before, or it is the thousandth. */
  cause({ tasks, nextPageToken: token = '' }: Page): PagingFault | undefined {
    if (token === '') return undefined;
    if (tasks.length === 0) return 'empty';
    if (tasks.every(({ id }) => this.#taskIds.has(id))) return 'known';
    return this.#tokens.has(token) ? 'repeated' : this.#tokens.size + 1 >= maxPages ? 'full' : undefined;
  }
}

/** The deviation in a list that repeats itself; undefined for other ends. */
export function repetition(fault: PagingFault | undefined): Finding | undefined {
  if (fault === 'known')
    return findingOf('LIST-05', '/tasks', sentence('The page has only tasks of earlier pages, and names one more page.'));
  return fault === 'repeated'
    ? findingOf('LIST-05', '/nextPageToken', sentence('The page names a page that came before as the next one.'))
    : undefined;
}
