import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { safeFileName, withExtension } from '../../model/fileNames.ts';
import { partFile } from '../../model/partFile.ts';
import type { RequestOutcome } from '../../model/requests/requestOutcome.ts';
import { textOfObserved } from '../../request/expect/observed.ts';
import { secretValues } from '../terminal/output.ts';
import { FileError, WriteError } from '../terminal/usage.ts';
import { exchangeLines, unbounded } from './reporters/exchangeLines.ts';
import type { RunExchange } from './reporters/runAnswer.ts';
import { maskedExchange } from './reporters/withoutSecrets.ts';

/** The folder of `--output`: one folder for each result, numbered in the order of the results. Names of agents and files are never paths. */
export class OutputFolder {
  readonly #path: string;
  #count = 0;

  /** @throws FileError where it cannot be made */
  constructor(path: string) {
    this.#path = path;
    this.#make(path);
  }

  /** Writes the text, the artifacts and the exchanges of a request; secrets masked. @throws WriteError */
  write(name: string, outcome: RequestOutcome, exchanges: readonly RunExchange[]): void {
    this.#count++;
    const folder = join(this.#path, `${String(this.#count).padStart(3, '0')}-${safeFileName(name, 'request')}`);
    this.#make(folder);
    const text = textOfObserved(outcome);
    if (text !== '') this.#put(join(folder, 'answer.txt'), masked(text));
    const taken = new Set<string>();
    for (const { name: artifactName, parts } of outcome.task?.artifacts ?? []) {
      for (const part of parts) {
        const file =
          'url' in part
            ? { name: withExtension(safeFileName(part.filename ?? artifactName, 'artifact'), 'url.txt'), bytes: Buffer.from(part.url) }
            : partFile(part, artifactName);
        const artifacts = join(folder, 'artifacts');
        if (taken.size === 0) this.#make(artifacts);
        this.#put(join(artifacts, unused(file.name, taken)), withoutSecrets(file.bytes));
      }
    }
    for (const [index, exchange] of exchanges.entries())
      this.#put(join(folder, `exchange-${index + 1}.txt`), `${exchangeLines(maskedExchange(exchange), unbounded).join('\n')}\n`);
  }

  #make(path: string): void {
    try {
      mkdirSync(path, { recursive: true });
    } catch (cause) {
      throw new FileError(`The folder ${path} cannot be made: ${(cause as Error).message}`, { cause });
    }
  }

  #put(path: string, content: string | Uint8Array): void {
    try {
      writeFileSync(path, content);
    } catch (cause) {
      throw new WriteError(`${path} could not be written: ${(cause as Error).message}`, { cause });
    }
  }
}

const masked = (text: string): string => secretValues.mask(text);

/** Bytes that are no text hold no secret that could be told from them. */
function withoutSecrets(bytes: Uint8Array): string | Uint8Array {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
  const shown = masked(text);
  return shown === text ? bytes : shown;
}

/** The name, with a number where it is taken; file systems that ignore case keep both, too. */
function unused(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number++) {
    const dot = name.lastIndexOf('.');
    free = dot <= 0 ? `${name}-${number}` : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
  }
  taken.add(free.toLowerCase());
  return free;
}
