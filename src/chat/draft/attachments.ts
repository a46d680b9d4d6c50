import { signal } from '@preact/signals';
import type { DraftFile } from '../host/draft.ts';
import { maxFileBytes, maxFilesBytes } from '../host/limits.ts';
import type { HostRequests } from '../host/hostRequests.ts';
import { HostError } from '../host/channel.ts';
import { byteSize } from '../text/measures.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import { sendFile } from './filePieces.ts';
import { newId } from './newId.ts';

/** A file being sent to the host. */
interface Upload {
  readonly id: string;
  readonly name: string;
  /** Progress from 0 to 1. */
  readonly share: number;
}

interface AttachmentsNeeds {
  readonly host: HostRequests;
  /** Called when the host has the whole file. */
  readonly onFile: (file: DraftFile) => void;
  /** Total size of all attached files in bytes. */
  readonly attachedBytes: () => number;
}

/** Sends dropped or pasted files to the host, one after the other. */
export class Attachments {
  readonly uploads = signal<readonly Upload[]>([]);
  readonly #needs: AttachmentsNeeds;
  readonly #thumbnails = new Map<string, Promise<string | undefined>>();

  constructor(needs: AttachmentsNeeds) {
    this.#needs = needs;
  }

  /** Sends files to the host. A file over the limit is refused before it is read. A file that fails does not stop the others. */
  async add(files: readonly File[]): Promise<void> {
    const waiting = files.map(file => ({ file, id: newId() }));
    this.uploads.value = [...this.uploads.peek(), ...waiting.map(({ file, id }) => ({ id, name: file.name, share: 0 }))];
    for (const { file, id } of waiting) {
      try {
        this.#requireRoom(file);
        const attached = await sendFile(
          id,
          file,
          piece => this.#needs.host.request('attach', piece),
          bytes => this.#progress(id, bytes / Math.max(1, file.size)),
        );
        this.#needs.onFile(attached);
      } catch (error) {
        this.#needs.host.fail(error);
      } finally {
        this.uploads.value = this.uploads.peek().filter(upload => upload.id !== id);
      }
    }
  }

  /** The bytes of an attached picture in base64, requested once; undefined where it cannot be shown. */
  thumbnail(id: string): Promise<string | undefined> {
    const known = this.#thumbnails.get(id);
    if (known !== undefined) return known;
    const asked = this.#needs.host.request('thumbnail', { id }).then(
      answer => answer?.raw,
      (error: unknown) => {
        // The picture keeps its name; sending it will report the error.
        console.warn('No thumbnail', error);
        return undefined;
      },
    );
    this.#thumbnails.set(id, asked);
    if (this.#thumbnails.size > maxThumbnails) this.#thumbnails.delete(this.#thumbnails.keys().next().value ?? '');
    return asked;
  }

  #requireRoom({ name, size }: File): void {
    const file = visibleName(name, 60);
    if (size > maxFileBytes)
      throw new HostError(
        t('{0} has {1}; a file in a message can have at most {2}.', file, byteSize(size), byteSize(maxFileBytes)),
        t('Send it as a link, or from a request file.'),
      );
    if (this.#needs.attachedBytes() + size > maxFilesBytes) {
      throw new HostError(
        t('With {0}, the files of the message would exceed {1}.', file, byteSize(maxFilesBytes)),
        t('Remove some first, or send them in several messages.'),
      );
    }
  }

  #progress(id: string, share: number): void {
    this.uploads.value = this.uploads.peek().map(upload => (upload.id === id ? { ...upload, share } : upload));
  }
}

const maxThumbnails = 40;
