import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in a time that does not depend on where two texts differ. */
export const sameText = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
