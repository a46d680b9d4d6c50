import { maxSuggestions } from '../../protocol/closestMatch.ts';
import { sentence } from '../../protocol/problem.ts';
import { rowNames } from '../file/writtenRows.ts';
import type { RequestFileContent } from '../file/requestFile.ts';
import { matrixInterfaces } from '../file/matrix.ts';
import { templateProblem, unclosedIn } from '../template/templateProblem.ts';
import { memberOf, membersOf, type JsonNode } from '../text/jsonNode.ts';
import { errorAt, warningAt, type RequestProblem } from '../text/requestProblem.ts';
import { importProblems, isPartlyRead } from './importChecks.ts';
import { controlProblems } from './controlChecks.ts';
import { circles, variableCircles } from './circles.ts';
import { content, doubledKeys, nothingToSend, schema, textAsData } from './contentChecks.ts';
import { interfaceProblem } from './interfaceProblem.ts';
import { expectationProblems } from './expectationProblems.ts';
import { blankNames, captureNames, duplicateNames, severalTimes, unknownAfter } from './nameChecks.ts';

/** Looks for one kind of problem. */
type Check = (file: RequestFileContent) => Iterable<RequestProblem>;

/**
 * To add one: a row here and its check in the file that is about the same, or in `request/language/contextProblems.ts` where it needs to
 * know agents; its fix in `request/language/fixes.ts`. An `error` ends `a2a run` with 2, a `warning` is printed. What the schema can say
 * needs no check.
 */
const checks: readonly Check[] = [
  unread,
  schema,
  doubledKeys,
  nothingToSend,
  blankNames,
  duplicateNames,
  captureNames,
  textAsData,
  unknownAfter,
  severalTimes,
  importProblems,
  controlProblems,
  circles,
  variableCircles,
  content,
  missingAgents,
  interfaces,
  expectations,
  templates,
  inheritedTemplates,
  doubledVariables,
  unclosedBraces,
];

/** The problems of a file, in text order. */
export function problemsIn(file: RequestFileContent): RequestProblem[] {
  return checks.flatMap(check => firstOf(check(file), file.maxProblems)).sort((a, b) => a.range.offset - b.range.offset);
}

function firstOf(problems: Iterable<RequestProblem>, most: number): RequestProblem[] {
  const first: RequestProblem[] = [];
  for (const problem of problems) if (first.push(problem) >= most) break;
  return first;
}

/** One problem for each unread part, where it begins. */
function* unread({ omitted }: RequestFileContent): Iterable<RequestProblem> {
  for (const { offset } of omitted) {
    yield warningAt(
      'not-read',
      { offset, length: 1 },
      sentence(
        'This file is too large for the editor: what follows here is neither checked nor sent from here. "a2a run" reads all of it.',
      ),
    );
  }
}

function* missingAgents({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { agent, nameRange } of requests) {
    if (agent === undefined) {
      yield warningAt('no-agent', nameRange, sentence('This request names no agent.'));
    }
  }
}

function* interfaces({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const node of new Set(requests.flatMap(entry => [entry.interface, ...matrixInterfaces(entry)]))) {
    const problem = interfaceProblem(node);
    if (problem !== undefined) yield problem;
  }
}

function* expectations({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { members } of requests) {
    const node = members.get('expect')?.value;
    if (node !== undefined) yield* expectationProblems(node);
    const awaited = memberOf(members.get('until')?.value, 'expect')?.value;
    if (awaited === undefined) continue;
    yield* expectationProblems(awaited);
    const snapshot = memberOf(awaited, 'snapshot');
    if (snapshot !== undefined)
      yield errorAt('not-here', snapshot.nameRange, sentence('A snapshot is compared with the last answer: write it under "expect".'));
  }
}

function* templates(file: RequestFileContent): Iterable<RequestProblem> {
  const isOpen = isPartlyRead(file);
  let count = 0;
  const holders = [{ templates: file.sharedTemplates }, ...file.variables.values(), ...file.requests];
  for (const holder of holders) {
    const rows = 'members' in holder ? rowNames(holder) : undefined;
    for (const use of holder.templates) {
      const { expression } = use;
      if (expression.kind === 'reference' && rows !== undefined && rows !== 'any' && rows.has(expression.name)) continue;
      // The problem of that request is reported at the request.
      if (expression.kind === 'reference' && !file.byName.has(expression.name) && file.unfinished.has(expression.name)) continue;
      const problem = templateProblem(use, file, count < maxSuggestions);
      if (problem?.code === 'unknown-name') count++;
      // Columns of a data file are known only when it is read.
      if (problem !== undefined && !((rows === 'any' || isOpen) && problem.code === 'unknown-name')) yield problem;
    }
  }
}

/** Problems that a template of a defaults file has in this file, reported once: at the first request that inherits it. */
function* inheritedTemplates(file: RequestFileContent): Iterable<RequestProblem> {
  if (isPartlyRead(file)) return;
  const seen = new Set<string>();
  let count = 0;
  for (const entry of file.requests) {
    const rows = rowNames(entry);
    for (const use of entry.inherited) {
      const { expression, from } = use;
      if (from === undefined || rows === 'any' || (expression.kind === 'reference' && rows?.has(expression.name) === true)) continue;
      const problem = templateProblem(use, file, count < maxSuggestions);
      if (problem?.code === 'unknown-name') count++;
      // All else is a problem of the defaults file itself.
      if (problem?.code !== 'unknown-name') continue;
      const key = JSON.stringify([from, expression]);
      if (seen.has(key)) continue;
      seen.add(key);
      yield { ...problem, code: 'unknown-name-in-defaults', sentence: sentence('{0}: {1}', from, problem.sentence) };
    }
  }
}

/** In Markdown each fence may have variables, and they hold in all of them. */
function* doubledVariables({ sections, markdown }: RequestFileContent): Iterable<RequestProblem> {
  if (!markdown) return;
  const seen = new Map<string, JsonNode>();
  for (const { root } of sections) {
    for (const { name, nameRange } of membersOf(memberOf(root, 'variables')?.value)) {
      const first = seen.get(name);
      if (first === undefined && root !== undefined) seen.set(name, root);
      else if (first !== root)
        yield warningAt(
          'doubled-variable',
          nameRange,
          sentence('The variable "{0}" is also set in a fence above. The first one counts, in all fences.', name),
        );
    }
  }
}

function* unclosedBraces({ text, variables, requests }: RequestFileContent): Iterable<RequestProblem> {
  const values = [...variables.values()].map(({ node }) => node);
  for (const { members, raw } of requests) {
    for (const value of [
      members.get('message')?.value,
      (raw === undefined ? members.get('params') : memberOf(raw.node, 'params'))?.value,
    ]) {
      if (value !== undefined) values.push(value);
    }
  }
  for (const node of values) yield* unclosedIn(text, node);
}
