import { isObject } from '../../protocol/json.ts';
import * as z from 'zod';
import type { Part } from '../../protocol/message/part.ts';
import { sentence } from '../../protocol/problem.ts';
import type { Artifact } from '../../protocol/message/task.ts';
import { kindOf, shown, type Check } from './check.ts';
import { brief } from './matcher.ts';

const Wanted = z
  .strictObject({
    name: z.string().meta({ description: 'Name of the artifact.' }).optional(),
    mediaType: z
      .string()
      .meta({
        description:
          'Media type of at least one part, such as `image/png` or `image/*`. Text without one is `text/plain`, data `application/json`.',
      })
      .optional(),
    count: z.int().min(0).meta({ description: 'How many such artifacts there are; left out, at least one.' }).optional(),
  })
  .meta({ description: 'An artifact that must be there.' });
type Wanted = z.infer<typeof Wanted>;

/** Artifacts of the task at the end; there may be others besides those in a list; an empty list means none. */
export const artifacts = kindOf(
  z.union([z.int().min(0), z.array(Wanted)]).meta({ description: 'Artifacts the task must have, or how many it has.' }),
  (wanted, { task }) => {
    const all = task?.artifacts ?? [];
    const actual = shown(all.map(artifact => ({ name: artifact.name, mediaTypes: artifact.parts.map(mediaTypeOf) })));
    const total = typeof wanted === 'number' ? wanted : wanted.length === 0 ? 0 : undefined;
    if (typeof wanted === 'number' || total !== undefined)
      return [all.length === total ? { path: [] } : counted([], total ?? 0, all.length)];
    return wanted.map((one, index): Check => {
      const found = all.filter(artifact => fits(artifact, one)).length;
      if (one.count === undefined ? found > 0 : found === one.count) return { path: [index] };
      const { count, ...facts } = one;
      return {
        path: [index],
        failure: {
          message:
            count === undefined
              ? sentence('No artifact is like {0}.', brief(facts))
              : count === 1
                ? sentence('Expected 1 artifact like {0}, got {1}.', brief(facts), found)
                : sentence('Expected {0} artifacts like {1}, got {2}.', count, brief(facts), found),
          expected: shown(one),
          actual,
        },
      };
    });
  },
  mayBeMore,
);

function counted(path: Check['path'], wanted: number, found: number): Check {
  return {
    path,
    failure: {
      message:
        wanted === 1 ? sentence('Expected 1 artifact, got {0}.', found) : sentence('Expected {0} artifacts, got {1}.', wanted, found),
      expected: String(wanted),
      actual: String(found),
    },
  };
}

const fits = (artifact: Artifact, { name, mediaType }: Wanted): boolean =>
  (name === undefined || artifact.name === name) &&
  (mediaType === undefined || artifact.parts.some(part => isOfMediaType(mediaTypeOf(part), mediaType)));

const mediaTypeOf = (part: Part): string =>
  part.mediaType ?? ('text' in part ? 'text/plain' : 'data' in part ? 'application/json' : 'application/octet-stream');

/** Parameters such as a charset do not count unless they are wanted; `image/*` is any image. */
export function isOfMediaType(actual: string, wanted: string): boolean {
  const plain = (type: string): string => type.toLowerCase().replaceAll(/\s/g, '');
  const [found, sought] = [plain(actual), plain(wanted)];
  const essence = sought.includes(';') ? found : (found.split(';')[0] ?? '');
  return sought.endsWith('/*') ? essence.startsWith(sought.slice(0, -1)) : essence === sought;
}

/** A number of artifacts, or none, may be exceeded. */
function mayBeMore(wanted: unknown): boolean {
  return (
    typeof wanted === 'number' ||
    (Array.isArray(wanted) && (wanted.length === 0 || wanted.some(one => isObject(one) && one['count'] !== undefined)))
  );
}
