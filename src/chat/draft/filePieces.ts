import type { Requests } from '../host/messages.ts';
import type { DraftFile, FilePiece } from '../host/draft.ts';
import { pieceBytes } from '../host/limits.ts';
import { HostError } from '../host/channel.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';

type Attach = (piece: FilePiece) => Promise<Requests['attach']['result']>;

/** Sends a file to the host in pieces. Rejects with a `HostError` where the browser cannot read it or the host refuses it. */
export async function sendFile(id: string, file: File, attach: Attach, onSent: (bytes: number) => void): Promise<DraftFile> {
  for (let at = 0; ; at += pieceBytes) {
    const bytes = base64(new Uint8Array(await read(file, at)));
    const attached = await attach({ id, name: file.name, mediaType: file.type.slice(0, 100), size: file.size, at, bytes });
    if (attached !== null) return attached;
    onSent(Math.min(file.size, at + pieceBytes));
    if (at > file.size) throw new HostError(t('{0} was not accepted.', visibleName(file.name, 60)), undefined);
  }
}

async function read(file: File, at: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(at, at + pieceBytes).arrayBuffer();
  } catch (error) {
    // A folder, or a file that was deleted.
    throw new HostError(
      t('{0} could not be read: {1}', visibleName(file.name, 60), error instanceof Error ? error.message : String(error)),
      undefined,
    );
  }
}

/** Bytes converted in one call: more arguments would exceed the limit of a function call. */
const step = 8192;

function base64(bytes: Uint8Array): string {
  let characters = '';
  for (let at = 0; at < bytes.length; at += step) characters += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(characters);
}
