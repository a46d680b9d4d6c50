import { closestMatch } from '../../protocol/closestMatch.ts';
import { sentence } from '../../protocol/problem.ts';
import { mayBeSentSeveralTimes, severalAnswers } from '../file/references.ts';
import type { RequestFileContent } from '../file/requestFile.ts';
import type { RequestProblem } from '../text/requestProblem.ts';

/** An empty name is reported by the schema. */
export function* blankNames({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { name, nameRange } of requests) {
    if (name === undefined || name === '' || name.trim() !== '') continue;
    yield { code: 'blank-name', range: nameRange, severity: 'error', sentence: sentence('The name of this request is blank.') };
  }
}

export function* duplicateNames({ requests, byName, variables, known }: RequestFileContent): Iterable<RequestProblem> {
  for (const entry of requests) {
    if (entry.name === undefined) continue;
    if (byName.get(entry.name) !== entry) {
      yield {
        code: 'duplicate-name',
        range: entry.nameRange,
        severity: 'error',
        sentence: sentence('Another request is called "{0}" already.', entry.name),
      };
    } else if (variables.has(entry.name) || known.has(entry.name)) {
      yield {
        code: 'name-of-variable',
        range: entry.nameRange,
        severity: 'warning',
        sentence: sentence('A variable is called "{0}" too, so templates with this name mean the variable.', entry.name),
      };
    }
  }
}

export function* unknownAfter({ requests, byName }: RequestFileContent): Iterable<RequestProblem> {
  for (const { after } of requests) {
    if (after === undefined || byName.has(after.value)) continue;
    const like = closestMatch(after.value, byName.keys());
    yield {
      code: 'unknown-request',
      range: after.range,
      severity: 'error',
      sentence:
        like === undefined
          ? sentence('No request of this file is called "{0}".', after.value)
          : sentence('No request of this file is called "{0}". Did you mean "{1}"?', after.value, like),
    };
  }
}

export function* severalTimes({ needs }: RequestFileContent): Iterable<RequestProblem> {
  const seen = new Set<number>();
  for (const { entry, range } of [...needs.values()].flat()) {
    if (!mayBeSentSeveralTimes(entry) || seen.has(range.offset)) continue;
    seen.add(range.offset);
    yield { code: 'several-answers', range, severity: 'error', sentence: severalAnswers(entry) };
  }
}
