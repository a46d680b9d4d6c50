import { firstBytes } from './imageType.ts';

/** Audio or video that the panel can play, detected from the first bytes; the declared media type is ignored. */
export interface Playable {
  readonly kind: 'audio' | 'video';
  readonly type: string;
}

/* eslint-disable no-control-regex -- signatures hold control characters */
const signatures: readonly (readonly [kind: Playable['kind'], type: string, start: RegExp])[] = [
  ['audio', 'audio/mpeg', /^(?:ID3|\xff[\xfb\xf3\xf2])/],
  ['audio', 'audio/wav', /^RIFF[^]{4}WAVE/],
  ['audio', 'audio/flac', /^fLaC/],
  ['audio', 'audio/mp4', /^[^]{4}ftypM4A/],
  ['audio', 'audio/ogg', /^OggS[^]{24,}(?:OpusHead|\x01vorbis)/],
  ['video', 'video/ogg', /^OggS/],
  ['video', 'video/mp4', /^[^]{4}ftyp/],
  ['video', 'video/webm', /^\x1a\x45\xdf\xa3/],
];
/* eslint-enable no-control-regex */

/** The media type of base64 bytes that can be played; undefined for others. */
export function playable(base64: string): Playable | undefined {
  const bytes = firstBytes(base64);
  const found = bytes === undefined ? undefined : signatures.find(([, , start]) => start.test(bytes));
  return found === undefined ? undefined : { kind: found[0], type: found[1] };
}
