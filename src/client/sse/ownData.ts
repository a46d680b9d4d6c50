import { copyOf } from '../../protocol/ownText.ts';

/** What came at once may be kept with any piece of it up to so many UTF-16 code units: copying every piece costs more. */
const maxKept = 256 * 1024;

/** The data of an event that came beside others, in a text of that length: a small one must not keep a large one in memory. */
export const ownData = (data: string, length: number): string => (length > maxKept && data.length < length / 2 ? copyOf(data) : data);
