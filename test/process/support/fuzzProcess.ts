import { writeSync } from 'node:fs';
import { formOf } from '../../../src/protocol/versions/index.ts';
import { fuzz } from '../../support/protocol/fuzz.ts';
import { keepsUnknownMembers } from '../../support/protocol/unknownMembers.ts';

/**
 * Reads spoilt bodies of one form of a generation, and sound ones with unknown members. Arguments: form, how many of each. Writes a line
 * of JSON whenever a stretch is done: the seed it has come to, and how many were read and refused.
 */
const [form = '', spoilt = '', sound = ''] = process.argv.slice(2);
const version = formOf(form);
if (version === undefined) throw new Error(`There is no generation ${form}.`);
const stretch = 5000;
let read = 0;
let refused = 0;
for (let seed = 0; seed < Number(spoilt); seed += stretch) {
  const done = fuzz(version, seed, Math.min(seed + stretch, Number(spoilt)));
  read += done.read;
  refused += done.refused;
  writeSync(1, `${JSON.stringify({ seed: seed + stretch, read, refused })}\n`);
}
keepsUnknownMembers(version, 0, Number(sound));
