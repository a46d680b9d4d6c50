import { sentence } from '../../protocol/problem.ts';
import { parseInterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { cyclesIn } from '../text/cycles.ts';
import { expectationProblems } from './expectationProblems.ts';
import { memberOf, membersOf, rangeOf, type JsonNode } from '../text/jsonNode.ts';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import { isFileKey, isRequestKey } from '../file/keys.ts';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { olderShapes } from '../file/olderShapes.ts';
import { isRawBody } from '../file/rawBody.ts';
import { isContentKey } from '../file/requestEntry.ts';
import type { RequestFileContent } from '../file/requestFile.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import { mayBeSentSeveralTimes, severalAnswers } from '../file/references.ts';
import { requestFileSchema } from '../schema/requestFileSchema.ts';
import { rowNames } from '../file/writtenRows.ts';
import { schemaProblems } from './schemaProblems.ts';
import { templateProblem, unclosedIn } from '../template/templateProblem.ts';
import { contains } from '../text/textRange.ts';

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
  return checks.flatMap(check => firstOf(check(file), file.mostProblems)).sort((a, b) => a.range.offset - b.range.offset);
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

let schemaOfFiles: JsonSchema | undefined;

/** Violations of the schema. Shapes of older A2A versions have sentences of their own. */
function* schema({ root, requests }: RequestFileContent): Iterable<RequestProblem> {
  if (root === undefined) return;
  const older = requests.flatMap(entry => [...olderShapes(entry)]);
  for (const { problem } of older) yield problem;
  // Where `params` must not be there beside a message, report it as a whole, not each member.
  const reported = [
    ...older.map(({ about }) => about),
    ...requests.flatMap(({ members }) => (members.has('message') ? (members.get('params')?.value ?? []) : [])),
  ];
  schemaOfFiles ??= requestFileSchema();
  for (const problem of schemaProblems(root, schemaOfFiles)) if (!reported.some(about => contains(about, problem.range))) yield problem;
}

/** Only the last of several members with the same name has an effect. */
function* doubledKeys({ root }: RequestFileContent): Iterable<RequestProblem> {
  const nodes = root === undefined ? [] : [root];
  for (const node of nodes) {
    if (node.type === 'object') {
      const names = new Set<string>();
      for (const { name, nameRange } of membersOf(node)) {
        if (names.has(name))
          yield {
            code: 'doubled-key',
            range: nameRange,
            severity: 'warning',
            inSchema: true,
            sentence: sentence('"{0}" stands here twice. The last one counts.', name),
          };
        names.add(name);
      }
    }
    for (const child of node.children ?? []) nodes.push(child);
  }
}

/** An object in place of a request that has nothing to send. One whose keys are unknown is reported by the schema. */
function* nothingToSend({ root }: RequestFileContent): Iterable<RequestProblem> {
  const list = memberOf(root, 'requests')?.value;
  const places = list === undefined ? [root] : list.type === 'array' ? (list.children ?? []) : [];
  for (const node of places) {
    const members = membersOf(node);
    if (node?.type !== 'object' || (node === root && members.length === 0) || isRawBody(node, node === root)) continue;
    if (members.some(({ name }) => isContentKey(name) || !(isRequestKey(name) || (node === root && isFileKey(name))))) continue;
    yield {
      code: 'nothing-to-send',
      range: memberOf(node, 'name')?.nameRange ?? { offset: node.offset, length: 1 },
      severity: 'error',
      sentence: sentence('There is nothing to send here: a request has a message, or a method with params.'),
    };
  }
}

/** An empty name is reported by the schema. */
function* blankNames({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { name, nameRange } of requests) {
    if (name === undefined || name === '' || name.trim() !== '') continue;
    yield { code: 'blank-name', range: nameRange, severity: 'error', sentence: sentence('The name of this request is blank.') };
  }
}

/** A file path where the content of the file is required. */
function* textAsData({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { members } of requests) {
    const node = members.get('each')?.value;
    if (node?.type !== 'string') continue;
    const text = String(node.value);
    if (text === '' || text.includes('{{') || /[\r\n]/.test(text.trim())) continue;
    yield {
      code: 'text-as-data',
      range: rangeOf(node),
      severity: 'error',
      sentence: sentence('"{0}" is not a table: a file is read with "{1}".', text, `{{$file ${text}}}`),
    };
  }
}

function* duplicateNames({ requests, byName, variables, known }: RequestFileContent): Iterable<RequestProblem> {
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

function* unknownAfter({ requests, byName }: RequestFileContent): Iterable<RequestProblem> {
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

function* severalTimes({ needs }: RequestFileContent): Iterable<RequestProblem> {
  const seen = new Set<number>();
  for (const { entry, range } of [...needs.values()].flat()) {
    if (!mayBeSentSeveralTimes(entry) || seen.has(range.offset)) continue;
    seen.add(range.offset);
    yield { code: 'several-answers', range, severity: 'error', sentence: severalAnswers(entry) };
  }
}

function* circles(file: RequestFileContent): Iterable<RequestProblem> {
  const found = cyclesIn(file.needs.keys(), entry => (file.needs.get(entry) ?? []).map(({ entry: to, range }) => ({ to, why: range })));
  for (const { nodes, why } of found) {
    const names = [...nodes, nodes[0]].map(node => node?.name ?? '');
    yield {
      code: 'circle',
      range: why,
      severity: 'error',
      sentence: sentence('These requests need each other in a circle: {0}.', names.join(' → ')),
    };
  }
}

function* variableCircles({ variables, known }: RequestFileContent): Iterable<RequestProblem> {
  const found = cyclesIn(variables.values(), variable =>
    variable.templates.flatMap(({ expression, range }) => {
      const to = expression.kind === 'reference' && !known.has(expression.name) ? variables.get(expression.name) : undefined;
      return to === undefined ? [] : [{ to, why: range }];
    }),
  );
  for (const { nodes, why } of found) {
    const names = [...nodes, nodes[0]].map(node => node?.name ?? '');
    yield {
      code: 'variable-circle',
      range: why,
      severity: 'error',
      sentence: sentence('These variables hold each other in a circle: {0}.', names.join(' → ')),
    };
  }
}

function* content({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { raw, members, method, operation, nameRange } of requests) {
    if (raw !== undefined) continue;
    const message = members.get('message');
    const params = members.get('params');
    const sends = method === undefined || operation === 'SendMessage' || operation === 'SendStreamingMessage';
    if (message !== undefined && params !== undefined) {
      yield {
        code: 'message-and-params',
        range: params.nameRange,
        severity: 'error',
        sentence: sentence('A request has a message or params, not both: with params, the message is one of them.'),
      };
    } else if (message !== undefined && operation !== undefined && !sends) {
      yield {
        code: 'message-not-sent',
        range: message.nameRange,
        severity: 'error',
        sentence: sentence('{0} takes params, not a message.', operation),
      };
    } else if (sends && message === undefined && params === undefined) {
      yield {
        code: 'no-message',
        range: method?.range ?? nameRange,
        severity: 'error',
        sentence: sentence('This request has no message to send.'),
      };
    } else if (operation !== undefined && !sends && operation !== 'ListTasks' && params === undefined) {
      yield {
        code: 'no-params',
        range: method?.range ?? nameRange,
        severity: 'error',
        sentence: sentence('{0} needs params with the id of the task.', operation),
      };
    }
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
