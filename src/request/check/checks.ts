import { parseInterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { sentence } from '../../protocol/problem.ts';
import { rowNames } from '../file/writtenRows.ts';
import type { RequestFileContent } from '../file/requestFile.ts';
import { templateProblem, unclosedIn } from '../template/templateProblem.ts';
import { memberOf, rangeOf, type JsonNode } from '../text/jsonNode.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import { circles, variableCircles } from './circles.ts';
import { content, doubledKeys, nothingToSend, schema, textAsData } from './contentChecks.ts';
import { expectationProblems } from './expectationProblems.ts';
import { blankNames, duplicateNames, severalTimes, unknownAfter } from './nameChecks.ts';

/** Looks for one kind of problem. */
type Check = (file: RequestFileContent) => Iterable<RequestProblem>;

const checks: readonly Check[] = [
  unread,
  schema,
  doubledKeys,
  nothingToSend,
  blankNames,
  duplicateNames,
  textAsData,
  unknownAfter,
  severalTimes,
  circles,
  variableCircles,
  content,
  missingAgents,
  interfaces,
  expectations,
  templates,
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
    yield {
      code: 'not-read',
      range: { offset, length: 1 },
      severity: 'warning',
      sentence: sentence(
        'This file is too large for the editor: what follows here is neither checked nor sent from here. "a2a run" reads all of it.',
      ),
    };
  }
}

function* missingAgents({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { agent, nameRange } of requests) {
    if (agent === undefined) {
      yield {
        code: 'no-agent',
        range: nameRange,
        severity: 'warning',
        sentence: sentence('This request does not say which agent it is for.'),
      };
    }
  }
}

function* interfaces({ requests }: RequestFileContent): Iterable<RequestProblem> {
  const seen = new Set<JsonNode>();
  for (const { interface: node } of requests) {
    if (node?.type !== 'string' || seen.has(node) || parseInterfaceSelector(String(node.value)) !== undefined) continue;
    seen.add(node);
    yield {
      code: 'bad-interface',
      range: rangeOf(node),
      severity: 'error',
      sentence: sentence(
        '"{0}" is not an interface. Write a binding, a version or both, such as {1}.',
        String(node.value),
        '"HTTP+JSON 1.0"',
      ),
    };
  }
}

function* expectations({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { members } of requests) {
    const node = members.get('expect')?.value;
    if (node !== undefined) yield* expectationProblems(node);
  }
}

function* templates(file: RequestFileContent): Iterable<RequestProblem> {
  const holders = [{ templates: file.agentTemplates }, ...file.variables.values(), ...file.requests];
  for (const holder of holders) {
    const rows = 'members' in holder ? rowNames(holder) : undefined;
    for (const use of holder.templates) {
      const { expression } = use;
      if (expression.kind === 'reference' && rows !== undefined && rows !== 'any' && rows.has(expression.name)) continue;
      const problem = templateProblem(use, file);
      // Columns of a data file are known only when it is read.
      if (problem !== undefined && !(rows === 'any' && problem.code === 'unknown-name')) yield problem;
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
