import type { FilePiece } from '../../../chat/host/draft.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { requireSize } from './attachment.ts';

interface Upload {
  readonly bytes: Uint8Array;
  at: number;
}

/** Maximum number of files that are uploaded at the same time. */
const maxUploads = 4;

/** Assembles files from the pieces that the panel sends. */
export class Uploads {
  readonly #uploads = new Map<string, Upload>();

  /**
   * Adds a piece; returns the file after the last one.
   * @throws Problem `file-too-large`, or `bad-upload` for a piece that does not continue the file, whose earlier pieces are then dropped
   */
  take({ id, name, size, at, bytes }: FilePiece): Uint8Array | undefined {
    const begun = at === 0 ? begin(name, size) : this.#uploads.get(id);
    const piece = Buffer.from(bytes, 'base64');
    this.#uploads.delete(id);
    if (
      begun === undefined ||
      begun.at !== at ||
      begun.bytes.length !== size ||
      at + piece.length > size ||
      (piece.length === 0 && size > 0)
    ) {
      throw new Problem('bad-upload', sentence('The file was not read completely.'), { nextStep: sentence('Attach it again.') });
    }
    begun.bytes.set(piece, at);
    begun.at += piece.length;
    if (begun.at === size) return begun.bytes;
    this.#uploads.set(id, begun);
    for (const oldest of [...this.#uploads.keys()].slice(0, -maxUploads)) this.#uploads.delete(oldest);
    return undefined;
  }
}

function begin(name: string, size: number): Upload {
  requireSize(name, size);
  return { bytes: new Uint8Array(size), at: 0 };
}
