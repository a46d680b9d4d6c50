import * as assert from 'node:assert/strict';
import { collect, maxFindings } from '../../../src/protocol/finding.ts';
import { readStreamResponse } from '../../../src/protocol/versions/index.ts';
import type { Version } from '../../../src/protocol/versions/shared/version.ts';
import { CoreValues } from './coreValues.ts';
import { Random } from './random.ts';
import { nests, type Wire } from './spoil.ts';

/** Adds an unknown member to every object of an event and checks that the parsed event has them all. */
export function keepsUnknownMembers(version: Version, from: number, to: number): void {
  for (let seed = from; seed < to; seed++) {
    const wire = JSON.parse(JSON.stringify(version.writeStreamResponse(new CoreValues(new Random(seed)).event()))) as Wire;
    // The envelope of the answer and the bytes of a file are not core objects.
    const holders = new Set<unknown>(nests(wire).flatMap(nest => (Array.isArray(nest) ? [nest] : [])));
    if (wire['kind'] === undefined && wire['id'] === undefined) holders.add(wire);
    const objects = nests(wire).filter(nest => !holders.has(nest)) as Wire[];
    for (const [index, object] of objects.entries()) object[`unknown-${index}`] = `kept-${index}`;
    const { note, findings } = collect();
    const text = JSON.stringify(readStreamResponse(wire, version, note));
    const lost = objects.filter((object, index) => !text.includes(`"kept-${index}"`) && !isNestedData(object, wire));
    assert.deepEqual(lost, [], `seed ${seed}`);
    assert.ok(findings.length <= maxFindings);
  }
}

/** The wrapper around a value that data could not hold: it is removed with its unknown members. */
function isNestedData(object: Wire, wire: unknown): boolean {
  return nests(wire).some(nest => !Array.isArray(nest) && nest['data'] === object);
}
