import * as z from 'zod';
import { pointerSteps } from '../../protocol/json/pointer.ts';
import { sentence } from '../../protocol/problem.ts';
import { kindOf } from './check.ts';

/** True for a JSON Pointer to a part of a value. */
export const leadsInto = (text: string): boolean => text !== '' && pointerSteps(text) !== undefined;

const Pointer = z.string().refine(leadsInto, {
  error: sentence('it is not a JSON Pointer such as /artifacts/0/metadata').template,
});

export const Snapshot = z.union([
  z.boolean(),
  z.strictObject({
    ignore: z
      .array(Pointer)
      .min(1)
      .meta({ description: 'JSON Pointers into the task or message: what is there may differ, such as `/artifacts/0/metadata`.' }),
  }),
]);

export type Snapshot = z.infer<typeof Snapshot>;

/** The whole answer as it was kept. Files are read and written only for the last answer, so this is checked in `model/requests/snapshotResult.ts`. */
export const snapshot = kindOf(
  Snapshot.meta({
    description:
      'The whole task or message is as in its snapshot, which the first run writes to `__snapshots__` beside the file. Ids, times and the order of members do not count. `true`, or an object with `ignore`.',
  }),
  () => [],
  wanted => wanted !== false,
);
