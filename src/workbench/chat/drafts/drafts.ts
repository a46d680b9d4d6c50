import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import { Draft } from '../../../chat/host/draft.ts';
import { writeAtomically } from '../../../model/writtenFile.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { log, logError } from '../../platform/log.ts';

/** Content of a draft's file; the name of its folder is a hash. */
const kept = z.strictObject({ context: z.string(), draft: Draft });

/** Maximum number of contexts whose drafts are kept; the oldest drafts are deleted first. */
const maxDrafts = 100;
/** Files without a readable draft are kept for this many milliseconds. */
const unreadableFor = 24 * 60 * 60_000;

/** Drafts of all contexts on disk, with the bytes of their files. Failed writes are logged. */
export class Drafts {
  readonly #folder: vscode.Uri;
  readonly #isKnown: (context: string) => boolean;
  #tidied: Promise<void> | undefined;
  /** The last write of each context, which the next one waits for. */
  readonly #writes = new Map<string, Promise<void>>();
  /** Drafts that wait to be written. */
  readonly #waiting = new Map<string, { draft: Draft; written: Promise<void> }>();

  /** @param isKnown true for a context of the history; drafts of other contexts are deleted */
  constructor(folder: vscode.Uri, isKnown: (context: string) => boolean) {
    this.#folder = folder;
    this.#isKnown = isKnown;
  }

  /** The draft of a context; undefined if there is none or it is unreadable. */
  async read(context: string): Promise<Draft | undefined> {
    await this.#ready();
    await this.#writes.get(context);
    return (await this.#parsed(this.#of(context)))?.draft;
  }

  /** Deletes files of a context's draft. `isNeeded` is called for each file when the deletion's turn comes, not before. */
  async dropFilesBut(context: string, isNeeded: (id: string) => boolean): Promise<void> {
    await this.#inTurn(context, async folder => {
      for (const [name] of await this.#list(folder)) {
        if (name !== draftName && !isNeeded(name)) await this.#delete(vscode.Uri.joinPath(folder, name));
      }
    });
  }

  /** Replaces the draft. Resolves when it or a later one is written: of several waiting drafts only the last is written. */
  keep(context: string, draft: Draft): Promise<void> {
    const waiting = this.#waiting.get(context);
    if (waiting !== undefined) {
      waiting.draft = draft;
      return waiting.written;
    }
    const next = { draft, written: Promise.resolve() };
    const begun = (): void => {
      if (this.#waiting.get(context) === next) this.#waiting.delete(context);
    };
    this.#waiting.set(context, next);
    next.written = this.#write(context, draftName, () => {
      begun();
      return Buffer.from(JSON.stringify({ context, draft: next.draft }));
    }).finally(begun);
    return next.written;
  }

  async putFile(context: string, id: string, bytes: Uint8Array): Promise<void> {
    await this.#write(context, id, () => bytes);
  }

  /** The bytes of a file. Rejects with a `Problem` `gone` if it does not exist. */
  async file(context: string, id: string): Promise<Uint8Array> {
    await this.#writes.get(context);
    try {
      return await vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.#of(context), id));
    } catch (cause) {
      throw new Problem('gone', sentence('An attached file is no longer there.'), {
        nextStep: sentence('Remove it from the message and attach it again.'),
        cause,
      });
    }
  }

  async dropFiles(context: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#delete(vscode.Uri.joinPath(this.#of(context), id));
  }

  #of(context: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, createHash('sha256').update(context).digest('hex').slice(0, 32));
  }

  async #parsed(folder: vscode.Uri): Promise<z.infer<typeof kept> | undefined> {
    let text: string;
    try {
      text = Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, draftName))).toString('utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    try {
      return kept.parse(JSON.parse(text));
    } catch (error) {
      log.warn(`A draft on disk could not be read and is left out: ${String(error)}`);
      return undefined;
    }
  }

  /** Runs the cleanup before the first read or write, so that it cannot delete what was just written. */
  #ready(): Promise<void> {
    this.#tidied ??= this.#tidy().catch(logError);
    return this.#tidied;
  }

  /**
   * Deletes drafts of unknown contexts, and all but the newest `maxDrafts`. A folder without a readable draft is kept for `unreadableFor`,
   * since a restored page may write its draft again.
   */
  async #tidy(): Promise<void> {
    const found = await Promise.all(
      (await this.#list(this.#folder)).map(async ([name]) => {
        const folder = vscode.Uri.joinPath(this.#folder, name);
        const context = (await this.#parsed(folder))?.context;
        const { mtime } = await vscode.workspace.fs.stat(folder);
        const stays = context === undefined ? mtime > Date.now() - unreadableFor : this.#isKnown(context);
        return { folder, at: stays ? mtime : undefined };
      }),
    );
    const old = found
      .filter(({ at }) => at !== undefined)
      .toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0))
      .slice(maxDrafts);
    for (const { folder } of [...found.filter(({ at }) => at === undefined), ...old]) await this.#delete(folder);
  }

  /** `bytes` is called when the write's turn comes. */
  #write(context: string, name: string, bytes: () => Uint8Array): Promise<void> {
    return this.#inTurn(context, async folder => {
      await this.#ready();
      await vscode.workspace.fs.createDirectory(folder);
      await writeAtomically(vscode.Uri.joinPath(folder, name).fsPath, [bytes()]);
    });
  }

  /** Runs changes of a context's folder one after the other. */
  #inTurn(context: string, change: (folder: vscode.Uri) => Promise<void>): Promise<void> {
    const changed = (this.#writes.get(context) ?? Promise.resolve()).then(() => change(this.#of(context)));
    this.#writes.set(context, changed.catch(logError));
    return changed;
  }

  async #list(folder: vscode.Uri): Promise<readonly [string, vscode.FileType][]> {
    try {
      return await vscode.workspace.fs.readDirectory(folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #delete(uri: vscode.Uri): Promise<void> {
    try {
      await vscode.workspace.fs.delete(uri, { recursive: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

const draftName = 'draft.json';

const isMissing = (error: unknown): boolean => error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
