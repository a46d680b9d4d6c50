import type { CutPart, SentEntry } from '../../chat/host/messages.ts';
import { roomAfter } from '../../protocol/json/depth.ts';
import type { Part } from '../../protocol/message/part.ts';
import type { Entry, EntryUpdate } from '../../protocol/message/transcript.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import { withBytes } from '../../protocol/versions/shared/fileContent.ts';
import { boundedPart, maxBase64, maxName, maxText, type Room } from '../documents/boundedPart.ts';

/** Maximum number of parts of one entry that the panel is sent. */
const maxParts = 10_000;
/** Maximum size of all metadata of an entry, and of the growth of an artifact without a further look, as `roomAfter` counts it. */
const small = 100_000;

/** An entry as the panel is sent it: no more of it than a page can draw without a stall. */
export function sentEntry(entry: Entry): SentEntry {
  const metadata =
    'metadata' in entry && roomAfter(entry.metadata, small) < 0 ? { metadata: { progress: entry.metadata?.['progress'] } } : {};
  switch (entry.kind) {
    case 'message':
    case 'status': {
      if (entry.message === undefined) return { ...entry, ...metadata };
      const { content, ...cut } = bounded(entry.message);
      return { ...entry, ...metadata, message: content, ...cut };
    }
    case 'artifact': {
      const { content, ...cut } = bounded(entry.artifact);
      const { name, description } = content;
      const artifact = {
        ...content,
        ...(name !== undefined && { name: name.slice(0, maxName) }),
        ...(description !== undefined && { description: description.slice(0, maxName) }),
      };
      return { ...entry, artifact, ...cut };
    }
    case 'problem':
      return {
        ...entry,
        sentence: shortened(entry.sentence),
        ...(entry.details !== undefined && { details: entry.details.slice(0, maxName) }),
      };
    case 'gap':
      return { ...entry, reason: shortened(entry.reason) };
  }
}

/**
 * Updates to send to the panel: the first ones, as far as there is `room` for them, as `roomAfter` counts it, but at least one. An artifact
 * that grows by too much is sent as a whole, with a note of what is left out.
 */
export function sentUpdates(
  updates: readonly EntryUpdate[],
  { entryAt, room = Infinity }: { readonly entryAt?: (seq: number) => Entry | undefined; readonly room?: number } = {},
): readonly EntryUpdate[] {
  const sent: EntryUpdate[] = [];
  for (let left = room; sent.length < updates.length && left >= 0; ) {
    const update = sentUpdate(updates[sent.length]!, entryAt);
    sent.push(update);
    left = roomAfter(update, left);
  }
  return sent;
}

function sentUpdate(update: EntryUpdate, entryAt: ((seq: number) => Entry | undefined) | undefined): EntryUpdate {
  if (update.type === 'put') return { type: 'put', entry: sentEntry(update.entry) };
  if (roomAfter(update.parts, small) >= 0) return update;
  const { content, ...left } = bounded(update);
  const entry = Object.keys(left).length > 0 ? entryAt?.(update.seq) : undefined;
  return entry === undefined ? content : { type: 'put', entry: sentEntry(entry) };
}

interface Whole {
  readonly parts: readonly Part[];
  readonly metadata?: unknown;
  readonly extensions?: unknown;
}

function bounded<Content extends Whole>(whole: Content): { readonly content: Content } & Pick<SentEntry, 'cut' | 'leftOut'> {
  const room: Room = { text: maxText, base64: maxBase64 };
  const facts: Room = { text: small, base64: 0 };
  const cut: CutPart[] = [];
  const parts = whole.parts.slice(0, maxParts).map((given, index): Part => {
    const part = withBytes(given);
    const sent = boundedPart(part, room);
    const metadata = isLight(part.metadata, facts) ? { metadata: part.metadata } : {};
    if (sent.is === 'part' && sent.cut !== true) return { ...sent.part, ...metadata };
    cut.push({ part: index, ...sizeOf(part) });
    return { ...(sent.is === 'part' ? sent.part : headOf(part, sent)), ...metadata };
  });
  const { metadata, extensions, ...others } = whole;
  const content = {
    ...others,
    parts,
    ...(isLight(metadata, facts) && { metadata }),
    ...(isLight(extensions, facts) && { extensions }),
  } as unknown as Content;
  const leftOut = whole.parts.length - parts.length;
  return { content, ...(cut.length > 0 && { cut }), ...(leftOut > 0 && { leftOut }) };
}

/** True for what is there and still fits; takes its room. */
function isLight(value: unknown, room: Room): boolean {
  const left = roomAfter(value, room.text);
  if (value === undefined || left < 0) return false;
  room.text = left;
  return true;
}

function sizeOf(part: Part): { readonly bytes?: number } {
  if ('text' in part) return { bytes: Buffer.byteLength(part.text) };
  if ('raw' in part) return { bytes: Buffer.byteLength(part.raw, 'base64') };
  return {};
}

/** A part without its content, of an address its beginning. */
function headOf(part: Part, { filename, mediaType }: Pick<Part, 'filename' | 'mediaType'>): Part {
  const about = { ...(filename !== undefined && { filename }), ...(mediaType !== undefined && { mediaType }) };
  return 'url' in part ? { url: part.url.slice(0, maxName), ...about } : 'raw' in part ? { raw: '', ...about } : { data: null, ...about };
}

const shortened = ({ template, args }: LocalizedMessage): LocalizedMessage => ({
  template,
  args: args.map(arg => (typeof arg === 'string' ? arg.slice(0, maxName) : typeof arg === 'object' ? shortened(arg) : arg)),
});
