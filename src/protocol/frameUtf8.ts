import type { Frame } from './exchange.ts';

const known = new WeakMap<Frame, Uint8Array>();

/**
 * Notes the bytes of a frame's data: UTF-8 without a fault, which nobody changes any more. Whoever writes the data down takes them as
 * they are, instead of finding out anew what a text that is not ASCII alone is in bytes.
 */
export function noteUtf8(frame: Frame, bytes: Uint8Array): Frame {
  known.set(frame, bytes);
  return frame;
}

/** Undefined for most frames: those that were read from the history, or are ASCII. */
export const utf8Of = (frame: Frame): Uint8Array | undefined => known.get(frame);
