import { closestMatch, maxSuggestions } from '../../protocol/closestMatch.ts';
import { sentence } from '../../protocol/problem.ts';
import { mayBeSentSeveralTimes, severalAnswers } from '../file/references.ts';
import { locatedString } from '../file/requestEntry.ts';
import { requestNamed } from '../file/imports.ts';
import { isPartlyRead } from './importChecks.ts';
import { readResultPath } from '../file/captures.ts';
import type { RequestFileContent } from '../file/requestFile.ts';
import { memberOf, membersOf, rangeOf } from '../text/jsonNode.ts';
import { errorAt, warningAt, type RequestProblem } from '../text/requestProblem.ts';

/** An empty name is reported by the schema. */
export function* blankNames({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { name, nameRange } of requests) {
    if (name === undefined || name === '' || name.trim() !== '') continue;
    yield errorAt('blank-name', nameRange, sentence('The name of this request is blank.'));
  }
}

export function* duplicateNames({ requests, byName, variables, known }: RequestFileContent): Iterable<RequestProblem> {
  for (const entry of requests) {
    if (entry.name === undefined) continue;
    if (byName.get(entry.name) !== entry) {
      yield errorAt('duplicate-name', entry.nameRange, sentence('Another request is already called "{0}".', entry.name));
    } else if (variables.has(entry.name) || known.has(entry.name)) {
      yield warningAt(
        'name-of-variable',
        entry.nameRange,
        sentence('A variable is also called "{0}", so templates with this name mean the variable.', entry.name),
      );
    }
  }
}

/** Names of what is captured: each is one of its own, and its path can be read. */
export function* captureNames({ requests, captures, variables, known, byName }: RequestFileContent): Iterable<RequestProblem> {
  for (const { members } of requests) {
    for (const { name, nameRange, value } of membersOf(members.get('capture')?.value)) {
      if (value?.type === 'string' && value.value !== '' && readResultPath(String(value.value)) === undefined) {
        yield errorAt(
          'bad-path',
          rangeOf(value),
          sentence('"{0}" is not a path into a result, such as {1}.', String(value.value), 'task.artifacts[0].name'),
        );
        continue;
      }
      if (captures.has(name) && captures.get(name)?.nameRange !== nameRange) {
        yield errorAt('duplicate-capture', nameRange, sentence('"{0}" is captured already.', name));
      } else if (variables.has(name) || known.has(name)) {
        yield warningAt(
          'name-of-variable',
          nameRange,
          sentence('A variable is also called "{0}", so templates with this name mean the variable.', name),
        );
      } else if (byName.has(name)) {
        yield warningAt(
          'name-of-request',
          nameRange,
          sentence('A request is also called "{0}". Templates with this name mean what is captured.', name),
        );
      }
    }
  }
}

/** One letter too many or too few, in names that are too short to be compared otherwise. */
const differInEnd = (one: string, other: string): boolean =>
  one !== '' && other !== '' && Math.abs(one.length - other.length) === 1 && (one.startsWith(other) || other.startsWith(one));

export function* unknownAfter(file: RequestFileContent): Iterable<RequestProblem> {
  if (isPartlyRead(file)) return;
  const names = [
    ...file.byName.keys(),
    ...file.unfinished,
    ...[...file.imported].filter(([, { request }]) => request !== undefined).map(([name]) => name),
  ];
  let count = 0;
  // Also of what has nothing to send yet.
  const written = file.sections.flatMap(({ root }) => memberOf(root, 'requests')?.value?.children ?? [root]);
  for (const node of written) {
    const after = locatedString(memberOf(node, 'after')?.value);
    if (after === undefined || requestNamed(file, after.value) !== undefined || file.unfinished.has(after.value)) continue;
    const isCompared = ++count <= maxSuggestions;
    const like = isCompared ? (closestMatch(after.value, names) ?? names.find(name => differInEnd(name, after.value))) : undefined;
    yield errorAt(
      'unknown-request',
      after.range,
      like === undefined
        ? sentence('No request of this file is called "{0}".', after.value)
        : sentence('No request of this file is called "{0}". Did you mean "{1}"?', after.value, like),
    );
  }
}

export function* severalTimes({ needs, requests }: RequestFileContent): Iterable<RequestProblem> {
  const seen = new Set<number>();
  for (const { entry, range, ofRow } of requests.flatMap(one => needs.get(one) ?? [])) {
    if (ofRow === true || !mayBeSentSeveralTimes(entry) || seen.has(range.offset)) continue;
    seen.add(range.offset);
    yield errorAt('several-answers', range, severalAnswers(entry));
  }
}
