import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { Draft } from '../../../chat/host/draft.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { log } from '../../platform/log.ts';
import { draftSchema } from './draftSchema.ts';

/** A draft in its file, which is named by a hash. */
const kept = z.strictObject({ context: z.string(), draft: draftSchema });

/** Contexts whose drafts are kept; the ones that were written longest ago go first. */
const maxDrafts = 100;
/** Files whose draft cannot be read are kept for so long, in milliseconds. */
const unreadableFor = 24 * 60 * 60_000;

/** What is being written in each context, on disk: the draft and the bytes of its files. What cannot be written is told in the log. */
export class Drafts {
  readonly #folder: vscode.Uri;
  readonly #isKnown: (context: string) => boolean;
  #tidied: Promise<void> | undefined;
  /** Writes of a context, in order. */
  readonly #writes = new Map<string, Promise<void>>();
  /** Drafts whose turn to be written has not come. */
  readonly #waiting = new Map<string, { draft: Draft; written: Promise<void> }>();

  /** `isKnown`: the context is in the history; the drafts of others are deleted in time. */
  constructor(folder: vscode.Uri, isKnown: (context: string) => boolean) {
    this.#folder = folder;
    this.#isKnown = isKnown;
  }

  /** The draft of a context, and none where there is none that can be read. */
  async read(context: string): Promise<Draft | undefined> {
    await this.#ready();
    await this.#writes.get(context);
    return (await this.#parsed(this.#of(context)))?.draft;
  }

  /** Deletes files of a context's draft but for those that are needed, which is asked for each when its turn has come. */
  async dropFilesBut(context: string, isNeeded: (id: string) => boolean): Promise<void> {
    await this.#inTurn(context, async folder => {
      for (const [name] of await this.#list(folder)) {
        if (name !== draftName && !isNeeded(name)) await this.#delete(vscode.Uri.joinPath(folder, name));
      }
    });
  }

  /** Keeps the draft instead of the one before. Resolves when it, or one after it, is written: of several that wait only the last is. */
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

  /** Rejects with a `Problem` `gone` where the file is not there. */
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

  /** Before anything else is done, what is old goes: a file that has just been put is not. */
  #ready(): Promise<void> {
    this.#tidied ??= this.#tidy().catch((error: unknown) => log.error(error instanceof Error ? error : String(error)));
    return this.#tidied;
  }

  /** Deletes drafts of contexts that are gone, and all drafts but the newest. What has no draft that can be read may get one from a page that comes back. */
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

  /** `bytes` is asked when it is this write's turn. */
  #write(context: string, name: string, bytes: () => Uint8Array): Promise<void> {
    return this.#inTurn(context, async folder => {
      await this.#ready();
      await vscode.workspace.fs.createDirectory(folder);
      const target = vscode.Uri.joinPath(folder, name);
      const half = vscode.Uri.joinPath(folder, `${name}.new`);
      await vscode.workspace.fs.writeFile(half, bytes());
      // A process that ends in between leaves the one before. VS Code's own rename deletes that first.
      await rename(half.fsPath, target.fsPath);
    });
  }

  /** Changes the folder of a context after the changes that were asked for before. */
  #inTurn(context: string, change: (folder: vscode.Uri) => Promise<void>): Promise<void> {
    const changed = (this.#writes.get(context) ?? Promise.resolve()).then(() => change(this.#of(context)));
    this.#writes.set(
      context,
      changed.catch((error: unknown) => log.error(error instanceof Error ? error : String(error))),
    );
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
