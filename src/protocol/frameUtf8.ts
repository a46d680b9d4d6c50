import type { Frame } from './exchange.ts';

const known = new WeakMap<Frame, Uint8Array>();

/**
 * Remembers the UTF-8 bytes of a frame's data, so that writing it need not encode it again. The bytes must be valid UTF-8 and must not
 * change afterwards.
 */
export function rememberUtf8(frame: Frame, bytes: Uint8Array): Frame {
  known.set(frame, bytes);
  return frame;
}

/** Undefined for most frames: those read from the history, and those with ASCII data. */
export const utf8Of = (frame: Frame): Uint8Array | undefined => known.get(frame);
