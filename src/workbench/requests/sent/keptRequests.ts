import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';

/** A request that was sent, as it is kept over restarts; its response is a file by itself. */
const KeptRequest = z.object({
  id: z.uuid(),
  /** Address of its file. */
  file: z.string(),
  /** Key of its entry in the file. */
  key: z.string(),
  title: z.string(),
  /** The agent as its file names it. */
  agent: z.string().optional(),
  icon: z.string(),
  /** Outcome, in a few words. */
  status: z.string(),
  /** Time of sending, milliseconds since the epoch. */
  at: z.number(),
  contextKey: z.string().optional(),
  exchangeId: z.string().optional(),
  /** Length of the response's document in UTF-16 code units; 0 where that was too long to be kept. */
  length: z.number(),
});
export type KeptRequest = Readonly<z.infer<typeof KeptRequest>>;

/** Workspace state: what is kept, the last sent first. */
const stateKey = 'requests.sent';
/** Maximum number of kept responses, the longest, and all of them together, in UTF-16 code units. */
const bounds = { requests: 200, response: 2_000_000, all: 30_000_000 };

/**
 * The requests that were sent in this workspace, with their responses as documents: secrets are masked in what is handed in. Bounded: the
 * oldest go first.
 */
export class KeptRequests {
  readonly #state: vscode.Memento;
  readonly #folder: vscode.Uri;
  /** One write after the other. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(state: vscode.Memento, folder: vscode.Uri) {
    this.#state = state;
    this.#folder = folder;
  }

  /** The last sent first. */
  get all(): readonly KeptRequest[] {
    const read = z.array(KeptRequest).safeParse(this.#state.get(stateKey));
    return read.success ? read.data : [];
  }

  get(id: string): KeptRequest | undefined {
    return this.all.find(each => each.id === id);
  }

  /** The last one of this request that was sent before a moment and whose response is kept. */
  before({ file, key, at }: Pick<KeptRequest, 'file' | 'key' | 'at'>): KeptRequest | undefined {
    return this.all.find(each => each.file === file && each.key === key && each.at < at && each.length > 0);
  }

  /** The response as a document; undefined where it is not kept (any more). */
  async textOf({ id, length }: KeptRequest): Promise<string | undefined> {
    if (length === 0) return undefined;
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#fileOf(id)));
    } catch (error) {
      if (error instanceof vscode.FileSystemError) return undefined;
      throw error;
    }
  }

  /** Keeps a request that is over. The response is written before the list names it. */
  keep(request: Omit<KeptRequest, 'id' | 'length'>, response: string): Promise<void> {
    return this.#inTurn(async () => {
      const id = randomUUID();
      const length = response.length > bounds.response ? 0 : response.length;
      if (length > 0) {
        await vscode.workspace.fs.createDirectory(this.#folder);
        await vscode.workspace.fs.writeFile(this.#fileOf(id), Buffer.from(response));
      }
      await this.#update([{ ...request, id, length }, ...this.all]);
    });
  }

  /** Requests of a file, or of the files of a folder, that was renamed. */
  renamed(from: string, to: string): Promise<void> {
    return this.#inTurn(() =>
      this.#state.update(
        stateKey,
        this.all.map(each =>
          each.file === from || each.file.startsWith(`${from}/`) ? { ...each, file: to + each.file.slice(from.length) } : each,
        ),
      ),
    );
  }

  remove(ids: ReadonlySet<string>): Promise<void> {
    return this.#inTurn(() => this.#update(this.all.filter(({ id }) => !ids.has(id))));
  }

  #inTurn(work: () => PromiseLike<void>): Promise<void> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => {});
    return done;
  }

  /** Writes the list as far as the bounds allow, and removes the responses of what is no longer in it. */
  async #update(wanted: readonly KeptRequest[]): Promise<void> {
    let size = 0;
    const kept = wanted.slice(0, bounds.requests).filter(({ length }) => (size += length) <= bounds.all);
    const ids = new Set(kept.map(({ id }) => id));
    const gone = [...wanted, ...this.all].filter(({ id, length }) => !ids.has(id) && length > 0);
    await this.#state.update(stateKey, kept);
    for (const id of new Set(gone.map(each => each.id))) {
      try {
        await vscode.workspace.fs.delete(this.#fileOf(id));
      } catch (error) {
        // Gone already is as wanted.
        if (!(error instanceof vscode.FileSystemError)) throw error;
      }
    }
  }

  #fileOf(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${id}.json`);
  }
}
