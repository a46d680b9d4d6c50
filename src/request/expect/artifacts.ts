import { isObject } from '../../protocol/json.ts';
import * as z from 'zod';
import { mediaTypeOf, textOf } from '../../protocol/message/part.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Artifact } from '../../protocol/message/task.ts';
import { contentFault } from './artifactContent.ts';
import { brief, kindOf, shown, type Check, type Failure } from './check.ts';
import { narrowMatcher } from './choice.ts';
import { isMatcher, Matcher, mayTurn, mismatches } from './matcher.ts';
import { numberShape } from './sizeMatchers.ts';

const Count = z.int().min(0);
export const CountMatcher = narrowMatcher(numberShape, Count, 'The number is not this; a matcher in here must not hold.');

/** An item of `artifacts`. */
export const ArtifactExpectation = z
  .strictObject({
    name: z.string().meta({ description: 'Name of the artifact.' }).optional(),
    mediaType: z
      .string()
      .meta({
        description:
          'Media type of at least one part, such as `image/png` or `image/*`. Text without one is `text/plain`, data `application/json`.',
      })
      .optional(),
    count: z
      .union([Count, CountMatcher])
      .meta({ description: 'How many such artifacts there are, or a matcher of numbers such as `{ "gte": 2 }`. Default: at least one.' })
      .optional(),
    text: z
      .union([z.string().min(1), Matcher])
      .meta({ description: 'Text that the artifact contains, or a matcher for its whole text.' })
      .optional(),
    data: z.unknown().meta({ description: 'Value of one of its data parts, or a matcher such as `{ "schema": { … } }`.' }).optional(),
    content: z
      .unknown()
      .meta({
        description:
          'Exact content of one of its parts: a text, a value, or a file such as `"{{$file boat.png}}"`, whose bytes are compared.',
      })
      .optional(),
  })
  .meta({ description: 'An artifact that must be there.' });
type WantedArtifact = z.infer<typeof ArtifactExpectation>;

/** Artifacts of the task at the end; there may be others besides those in a list; an empty list means none. */
export const artifacts = kindOf(
  z
    .union([Count, z.array(ArtifactExpectation), CountMatcher])
    .meta({ description: 'Artifacts the task must have, or how many it has: a number, or a matcher of numbers such as `{ "gte": 2 }`.' }),
  (wanted, { task }) => {
    const all = task?.artifacts ?? [];
    if (isObject(wanted)) return matched(wanted, all.length);
    if (typeof wanted === 'number' || wanted.length === 0) {
      const total = typeof wanted === 'number' ? wanted : 0;
      return [all.length === total ? { path: [] } : counted([], total, all.length)];
    }
    return wanted.map((one, index): Check => {
      const like = all.filter(artifact => isLike(artifact, one));
      const found = like.filter(artifact => contentFault(artifact, one) === undefined).length;
      if (isCount(one.count, found)) return { path: [index] };
      return { path: [index], failure: (one.count === undefined ? otherContent(like, one) : undefined) ?? missing(all, one, found) };
    });
  },
  mayBeMore,
);

/** True if a number of artifacts is as expected: by default at least one. */
const isCount = (wanted: WantedArtifact['count'], found: number): boolean =>
  wanted === undefined ? found > 0 : isObject(wanted) ? mismatches(wanted, found).length === 0 : found === wanted;

/** The number of all artifacts against a matcher. */
function matched(wanted: Readonly<Record<string, unknown>>, found: number): readonly Check[] {
  const wrong = mismatches(wanted, found);
  if (wrong.length === 0) return [{ path: [] }];
  return wrong.map(({ name, what, expected }) => ({
    path: [name],
    failure: { message: sentence('The number of artifacts is {0}, which {1}.', found, what), expected, actual: String(found) },
  }));
}

/** The failure of the first artifact with the expected name and type, but other content. */
function otherContent([first, ...others]: readonly Artifact[], wanted: WantedArtifact): Failure | undefined {
  const fault = first && contentFault(first, wanted);
  if (first === undefined || fault === undefined) return undefined;
  const name = first.name ?? first.artifactId;
  const what: LocalizedMessage = sentence('The artifact "{0}": {1}', name, fault.what);
  return {
    message: others.length === 0 ? what : sentence('None of the {0} artifacts matches. {1}', others.length + 1, what),
    expected: fault.expected,
    actual: fault.actual,
  };
}

function missing(all: readonly Artifact[], wanted: WantedArtifact, found: number): Failure {
  const { count, ...facts } = wanted;
  return {
    message:
      count === undefined
        ? sentence('No artifact matches {0}.', brief(facts))
        : isObject(count)
          ? sentence(
              'The number of artifacts matching {0} is {1}, which {2}.',
              brief(facts),
              found,
              mismatches(count, found)[0]?.what ?? '',
            )
          : count === 1
            ? sentence('Expected 1 artifact matching {0}, got {1}.', brief(facts), found)
            : sentence('Expected {0} artifacts matching {1}, got {2}.', count, brief(facts), found),
    expected: shown(wanted),
    actual: shown(
      all.map(artifact => ({
        name: artifact.name,
        mediaTypes: artifact.parts.map(mediaTypeOf),
        ...((wanted.text !== undefined || wanted.content !== undefined) && { text: textOf(artifact.parts) }),
      })),
    ),
  };
}

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

const isLike = (artifact: Artifact, { name, mediaType }: WantedArtifact): boolean =>
  (name === undefined || artifact.name === name) &&
  (mediaType === undefined || artifact.parts.some(part => isOfMediaType(mediaTypeOf(part), mediaType)));

/** Parameters such as a charset do not count unless they are wanted; `image/*` is any image. */
export function isOfMediaType(actual: string, wanted: string): boolean {
  const plain = (type: string): string => type.toLowerCase().replaceAll(/\s/g, '');
  const [found, sought] = [plain(actual), plain(wanted)];
  const essence = sought.includes(';') ? found : (found.split(';')[0] ?? '');
  return sought.endsWith('/*') ? essence.startsWith(sought.slice(0, -1)) : essence === sought;
}

/** A number of artifacts, or none, may be exceeded, and what one holds may grow beyond what is wanted. */
function mayBeMore(wanted: unknown): boolean {
  return (
    typeof wanted === 'number' ||
    isObject(wanted) ||
    (Array.isArray(wanted) && (wanted.length === 0 || wanted.some(one => isObject(one) && (one['count'] !== undefined || mayGrow(one)))))
  );
}

const mayGrow = ({ text, data, content }: Readonly<Record<string, unknown>>): boolean =>
  content !== undefined || (isObject(text) && mayTurn(text, true)) || (data !== undefined && (!isMatcher(data) || mayTurn(data, true)));
