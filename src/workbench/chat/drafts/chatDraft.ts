import { randomUUID } from 'node:crypto';
import type { Draft, DraftFile, DraftPart } from '../../../chat/host/draft.ts';
import { maxFilesBytes, maxParts } from '../../../chat/host/limits.ts';
import type { RequestHandlers, Requests } from '../../../chat/host/messages.ts';
import type { AgentContext } from '../../../model/contexts/agentContext.ts';
import type { ChatMessage } from '../../../model/contexts/chatMessage.ts';
import type { MessageEntry } from '../../../protocol/message/transcript.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { secretsIn } from './chatForms.ts';
import { translate } from '../../platform/report.ts';
import { attachmentOf, megabytes, mediaTypeRefusal } from './attachment.ts';
import { confirmDropped, pickedFiles, readFiles, type ReadFile } from './chosenFiles.ts';
import type { Drafts } from './drafts.ts';
import { messageParts } from './messageParts.ts';
import { draftOfMessage, parseSentPartId, withPasswordsMasked } from './sentMessageDraft.ts';
import { Uploads } from './uploads.ts';

/** Maximum size of an image that is sent to the panel as a thumbnail, in bytes. */
const maxThumbnail = 2 * 1024 * 1024;
/** Maximum number of pages of the history that are searched for an earlier message of the person. */
const maxPages = 10;

/** The draft of one context: connects its panel with the files on disk. */
export class ChatDraft {
  readonly #context: AgentContext;
  readonly #drafts: Drafts;
  readonly #uploads = new Uploads();
  readonly #attached: (parts: readonly DraftPart[]) => void;
  /** Size in bytes by id of the files that the panel has. */
  readonly #sizes = new Map<string, number>();
  /** Ids of files that were added since the panel was opened: the page may still add them to the draft. */
  readonly #fresh = new Set<string>();
  /** True once the page has sent the draft that it shows. */
  #settled = false;

  /** @param attached called with parts that were chosen outside the panel */
  constructor(context: AgentContext, drafts: Drafts, attached: (parts: readonly DraftPart[]) => void) {
    this.#context = context;
    this.#drafts = drafts;
    this.#attached = attached;
  }

  /** The newer one of the stored draft and the one that an earlier page kept, for a page that was just loaded. */
  async read(kept: Draft | undefined): Promise<Draft | undefined> {
    this.#settled = false;
    const stored = await this.#drafts.read(this.#context.key);
    return kept !== undefined && kept.version >= (stored?.version ?? 0) ? kept : stored;
  }

  /** Stores these files for the next message and adds them to the panel's composer. Rejects with a `Problem`. */
  async attach(files: readonly ReadFile[]): Promise<void> {
    const parts: DraftFile[] = [];
    for (const file of files) parts.push(await this.#staged({ id: randomUUID(), ...file }));
    this.#attached(parts);
  }

  /** The message as the person wrote it, with its files read. Rejects with a `Problem`. */
  async message({ parts = [], metadata = '', newContext: _, ...message }: Requests['send']['params']): Promise<ChatMessage> {
    return { ...message, ...(await messageParts(parts, metadata, id => this.#part(id))) };
  }

  /** Call when the message is on its way: deletes its files. */
  async sent({ parts = [] }: Requests['send']['params']): Promise<void> {
    for (const { id } of parts) this.#sizes.delete(id);
    await this.#drafts.dropFiles(
      this.#context.key,
      parts.filter(({ kind, id }) => kind === 'file' && parseSentPartId(id) === undefined).map(({ id }) => id),
    );
  }

  answers(): Pick<RequestHandlers, 'keepDraft' | 'attach' | 'pickFiles' | 'attachDropped' | 'thumbnail' | 'checkMode' | 'recall'> {
    const { key } = this.#context;
    return {
      keepDraft: async draft => {
        this.#count(draft.parts);
        await this.#drafts.keep(key, draft);
        if (this.#settled) return;
        this.#settled = true;
        // The first draft of a new page is the only one: files of earlier drafts are not needed any more.
        const kept = new Set([...draft.parts, ...(draft.waiting?.parts ?? [])].map(({ id }) => id));
        await this.#drafts.dropFilesBut(key, id => kept.has(id) || this.#fresh.has(id));
      },
      attach: async piece => {
        const bytes = this.#uploads.take(piece);
        return bytes === undefined ? null : this.#staged({ id: piece.id, name: piece.name, mediaType: piece.mediaType, bytes });
      },
      pickFiles: async () => this.attach(await readFiles(await pickedFiles())),
      attachDropped: async ({ uris }) => this.attach(await readFiles(await confirmDropped(uris))),
      thumbnail: async ({ id }) => {
        const bytes = await this.#bytes(id);
        return bytes.length > maxThumbnail ? null : { raw: Buffer.from(bytes).toString('base64') };
      },
      checkMode: async ({ mediaType }) => {
        const reason = mediaTypeRefusal(this.#context.agent?.card, mediaType);
        return reason === undefined ? null : translate(reason);
      },
      recall: async wanted => {
        const entry = 'seq' in wanted ? this.#own(wanted.seq) : this.#ownBefore(wanted.before);
        return entry === undefined ? null : draftOfMessage(withPasswordsMasked(entry, secretsIn(this.#context, entry.seq)));
      },
    };
  }

  async #staged(file: ReadFile & { readonly id: string; readonly mediaType?: string }): Promise<DraftFile> {
    const all = [...this.#sizes.values()].reduce((sum, size) => sum + size, file.bytes.length);
    if (all > maxFilesBytes || this.#sizes.size >= maxParts) {
      throw new Problem(
        'too-many-files',
        sentence('A message can have at most {1} files, {0} MB in total.', megabytes(maxFilesBytes), maxParts),
        {
          nextStep: sentence('Remove some first, or send them in several messages.'),
        },
      );
    }
    const part = attachmentOf(file);
    const reason = mediaTypeRefusal(this.#context.agent?.card, part.mediaType);
    this.#fresh.add(part.id);
    await this.#drafts.putFile(this.#context.key, part.id, file.bytes);
    this.#sizes.set(part.id, part.size);
    return reason === undefined ? part : { ...part, refused: translate(reason) };
  }

  #count(parts: readonly DraftPart[]): void {
    this.#sizes.clear();
    for (const part of parts) if (part.kind === 'file') this.#sizes.set(part.id, part.size);
  }

  /** A part of an earlier message, or the bytes of a stored file, by its id. */
  #part(id: string): MessageEntry['message']['parts'][number] | Promise<Uint8Array> {
    const place = parseSentPartId(id);
    if (place === undefined) return this.#drafts.file(this.#context.key, id);
    const part = this.#own(place.seq)?.message.parts[place.index];
    if (part === undefined) throw new Problem('gone', sentence('This part is no longer in the history.'));
    return part;
  }

  async #bytes(id: string): Promise<Uint8Array> {
    const part = await this.#part(id);
    if (part instanceof Uint8Array) return part;
    return 'raw' in part ? Buffer.from(part.raw, 'base64') : new Uint8Array();
  }

  #own(seq: number): MessageEntry | undefined {
    const entry = this.#context.entry(seq);
    return entry !== undefined && isOwn(entry) ? entry : undefined;
  }

  #ownBefore(before: number | undefined): MessageEntry | undefined {
    let from = before;
    for (let page = 0; page < maxPages; page++) {
      const { items, more } = this.#context.entries({ before: from, limit: 200 });
      const found = items.findLast(isOwn);
      if (found !== undefined || !more) return found;
      from = items[0]?.seq;
    }
    return undefined;
  }
}

const isOwn = (entry: { readonly kind: string }): entry is MessageEntry =>
  entry.kind === 'message' && (entry as MessageEntry).message.role === 'ROLE_USER';
