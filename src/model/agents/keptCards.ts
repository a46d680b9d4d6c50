import { exactJson } from '../../protocol/json/exactJson.ts';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../protocol/json.ts';
import type { ComparedCard } from './cardChanges.ts';

/** The card of an agent that was used last. */
export interface KeptCard extends Omit<ComparedCard, 'source'> {
  /** Undefined for a card that is too long to be kept. */
  readonly source: string | undefined;
  /** SHA-256 of the source, in hex. */
  readonly digest: string;
}

/** Longest card that is kept, in UTF-16 code units. */
const maxLength = 512 * 1024;
/** Most cards that are kept; those that were written longest ago are deleted first. */
const maxCards = 500;
const ending = '.card.json';

export function keptCardOf({ source, verdict, thumbprint }: ComparedCard): KeptCard {
  return {
    source: source.length > maxLength ? undefined : source,
    digest: sha256(source),
    verdict,
    ...(thumbprint !== undefined && { thumbprint }),
  };
}

/** The cards that were used last, as files that all windows share; one for each agent at each of its addresses. */
export class KeptCards {
  readonly #folder: string;
  #swept = false;

  /** @param folder made when the first card is kept */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined for an agent that has none, and for one whose file cannot be read as one. */
  async get(agent: string, url: string): Promise<KeptCard | undefined> {
    try {
      return kept(exactJson(await readFile(this.#path(agent, url), 'utf8')));
    } catch (error) {
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Rejects with the system's error. */
  async put(agent: string, url: string, card: KeptCard): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const unfinished = join(this.#folder, `${randomUUID()}.unfinished`);
    try {
      await writeFile(unfinished, JSON.stringify({ agent, url, ...card }), { mode: 0o600 });
      await rename(unfinished, this.#path(agent, url));
    } finally {
      await rm(unfinished, { force: true });
    }
    if (this.#swept) return;
    this.#swept = true;
    await this.#sweep();
  }

  #path(agent: string, url: string): string {
    return join(this.#folder, `${sha256(JSON.stringify([agent, url]))}${ending}`);
  }

  async #sweep(): Promise<void> {
    const names = (await readdir(this.#folder)).filter(name => name.endsWith(ending));
    if (names.length <= maxCards) return;
    const files = await Promise.all(names.map(async name => ({ name, at: (await stat(join(this.#folder, name))).mtimeMs })));
    const oldest = files.toSorted((one, other) => one.at - other.at).slice(0, names.length - maxCards);
    await Promise.all(oldest.map(({ name }) => rm(join(this.#folder, name), { force: true })));
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function kept(value: unknown): KeptCard | undefined {
  if (!isObject(value)) return undefined;
  const { source, digest, verdict, thumbprint } = value;
  if (typeof digest !== 'string' || typeof verdict !== 'string') return undefined;
  return {
    source: typeof source === 'string' ? source : undefined,
    digest,
    verdict: verdict as KeptCard['verdict'],
    ...(typeof thumbprint === 'string' && { thumbprint }),
  };
}
