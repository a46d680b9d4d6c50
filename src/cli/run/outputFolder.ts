import { mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FreeNames, safeFileName } from '../../model/fileNames.ts';
import { partFile } from '../../model/partFile.ts';
import type { RequestOutcome } from '../../model/requests/requestOutcome.ts';
import { writeAtOnce } from '../../model/writtenFile.ts';
import { textOfObserved } from '../../request/expect/observed.ts';
import type { Output } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { FileError, WriteError } from '../terminal/usage.ts';
import { exchangeLines, unbounded } from './reporters/exchangeLines.ts';
import { linkSentence, makeNamedFolder } from './reporters/namedFolder.ts';
import type { RunExchange } from './reporters/runAnswer.ts';

/** The name of a result's folder, the file that marks it as made by a run, and all that a run writes into one. */
const ofResult = /^\d{3,}-/;
const mark = '.a2a-result';
const written = /^(\.a2a-result|answer\.txt|artifacts|exchange-\d+\.txt)$/;

/**
 * The folder of `--output`: one folder for each result, numbered in the order of the results. Names of agents and files are never paths, and
 * nothing is written through a link. Results of an earlier run are deleted first, so that none looks like one of this run.
 */
export class OutputFolder {
  readonly #path: string;
  readonly #output: Output;
  /** The path without links. */
  readonly #real: string;
  #count = 0;

  /** @throws FileError where it cannot be made, or holds what looks like a result and is none */
  constructor(path: string, { host, output }: Pick<Terminal, 'host' | 'output'>) {
    this.#path = path;
    this.#output = output;
    try {
      makeNamedFolder(path, host.cwd());
      this.#real = realpathSync(resolve(host.cwd(), path));
      clear(this.#real);
    } catch (cause) {
      throw new FileError(`The folder ${path} cannot be made: ${(cause as Error).message}`, { cause });
    }
  }

  /** Writes the text, the artifacts and the exchanges of a request; secrets masked. @throws WriteError */
  write(name: string, outcome: RequestOutcome, exchanges: readonly RunExchange[]): void {
    this.#count++;
    const folder = `${String(this.#count).padStart(3, '0')}-${safeFileName(name, 'request')}`;
    this.#make(folder);
    this.#put(folder, mark, '');
    const text = textOfObserved(outcome);
    if (text !== '') this.#put(folder, 'answer.txt', this.#output.mask(text));
    const names = new FreeNames();
    const artifacts = join(folder, 'artifacts');
    let hasArtifacts = false;
    for (const { name: artifactName, parts } of outcome.task?.artifacts ?? []) {
      for (const part of parts) {
        // A file by reference is not downloaded: the report has its address.
        if ('url' in part) continue;
        const file = partFile(part, artifactName);
        if (!hasArtifacts) this.#make(artifacts);
        hasArtifacts = true;
        this.#put(artifacts, names.take(file.name), withoutSecrets(file.bytes, this.#output));
      }
    }
    for (const [index, exchange] of exchanges.entries())
      this.#put(folder, `exchange-${index + 1}.txt`, `${exchangeLines(this.#output.maskedExchange(exchange), unbounded).join('\n')}\n`);
  }

  /** Only what this run makes itself is written into. */
  #make(folder: string): void {
    this.#try(folder, () => mkdirSync(join(this.#held(dirname(folder)), basename(folder))));
  }

  #put(folder: string, name: string, content: string | Uint8Array): void {
    this.#try(join(folder, name), () => {
      writeAtOnce(join(this.#held(folder), name), content);
    });
  }

  /** The real path of a folder that this run has made. @throws Error where a link has taken its place since */
  #held(folder: string): string {
    const path = join(this.#real, folder);
    if (realpathSync(path) !== path) throw new Error(linkSentence(join(this.#path, folder)));
    return path;
  }

  #try(path: string, work: () => void): void {
    try {
      work();
    } catch (cause) {
      throw new WriteError(`${join(this.#path, path)} could not be written: ${(cause as Error).message}`, { cause });
    }
  }
}

/** Deletes what an earlier run wrote: folders with its mark, and nothing else in them. Any other that looks like one stops the run. @throws Error */
function clear(root: string): void {
  const results = readdirSync(root, { withFileTypes: true }).filter(({ name }) => ofResult.test(name));
  for (const result of results) {
    if (result.isSymbolicLink()) throw new Error(linkSentence(result.name));
    const within = result.isDirectory() ? readdirSync(join(root, result.name), { withFileTypes: true }) : [];
    const isOurs =
      within.some(({ name }) => name === mark) &&
      within.every(one => written.test(one.name) && (one.name === 'artifacts' ? one.isDirectory() : one.isFile()));
    if (!isOurs) throw new Error(`${result.name} in it was not written by a run alone. Name another folder, or move it away.`);
  }
  for (const { name } of results) rmSync(join(root, name), { recursive: true });
}

/** Secrets are masked in text; other bytes are unchanged. */
function withoutSecrets(bytes: Uint8Array, { mask }: Output): string | Uint8Array {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
  const shown = mask(text);
  return shown === text ? bytes : shown;
}
