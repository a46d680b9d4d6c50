import { sentence } from '../protocol/problem.ts';
import { circlesIn } from './circles.ts';
import type { RequestFileContent } from './requestFile.ts';
import type { RequestProblem } from './requestProblem.ts';
import { rowNames } from './rows.ts';
import { templateProblem, unclosedIn } from './templateProblem.ts';

/** Looks for one kind of mistake. What the JSON schema of the language finds is not looked for again, or marked `inSchema`. */
type Check = (file: RequestFileContent) => Iterable<RequestProblem>;

/** Adding a check is adding a row. */
const checks: readonly Check[] = [duplicateNames, unknownAfter, circles, variableCircles, content, unknownMethods, missingAgents, templates, unclosedBraces];

/** What is wrong with a file, in the order of the text. */
export function problemsIn(file: RequestFileContent): RequestProblem[] {
  return checks.flatMap(check => [...check(file)]).sort((a, b) => a.range.offset - b.range.offset);
}

function* duplicateNames({ requests, byName, variables }: RequestFileContent): Iterable<RequestProblem> {
  for (const entry of requests) {
    if (entry.name === undefined) continue;
    if (byName.get(entry.name) !== entry) {
      yield { code: 'duplicate-name', range: entry.nameRange, severity: 'error', sentence: sentence('Another request is called "{0}" already.', entry.name) };
    } else if (variables.has(entry.name)) {
      yield {
        code: 'name-of-variable', range: entry.nameRange, severity: 'warning',
        sentence: sentence('A variable is called "{0}" too, so templates with this name mean the variable.', entry.name),
      };
    }
  }
}

function* unknownAfter({ requests, byName }: RequestFileContent): Iterable<RequestProblem> {
  for (const { after } of requests) {
    if (after !== undefined && !byName.has(after.value)) {
      yield { code: 'unknown-request', range: after.range, severity: 'error', sentence: sentence('No request of this file is called "{0}".', after.value) };
    }
  }
}

function* circles(file: RequestFileContent): Iterable<RequestProblem> {
  const found = circlesIn(file.needs.keys(), entry => (file.needs.get(entry) ?? []).map(({ entry: to, range }) => ({ to, why: range })));
  for (const { nodes, why } of found) {
    const names = [...nodes, nodes[0]].map(node => node?.name ?? '');
    yield { code: 'circle', range: why, severity: 'error', sentence: sentence('These requests need each other in a circle: {0}.', names.join(' → ')) };
  }
}

function* variableCircles({ variables }: RequestFileContent): Iterable<RequestProblem> {
  const found = circlesIn(variables.values(), variable => variable.templates.flatMap(({ expression, range }) => {
    const to = expression.kind === 'reference' ? variables.get(expression.name) : undefined;
    return to === undefined ? [] : [{ to, why: range }];
  }));
  for (const { nodes, why } of found) {
    const names = [...nodes, nodes[0]].map(node => node?.name ?? '');
    yield { code: 'variable-circle', range: why, severity: 'error', sentence: sentence('These variables hold each other in a circle: {0}.', names.join(' → ')) };
  }
}

function* content({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { body, members, method, operation, nameRange } of requests) {
    if (body !== undefined) continue;
    const message = members.get('message');
    const params = members.get('params');
    const sends = method === undefined || operation === 'SendMessage' || operation === 'SendStreamingMessage';
    if (message !== undefined && params !== undefined) {
      yield {
        code: 'message-and-params', range: params.nameRange, severity: 'error',
        sentence: sentence('A request has a message or params, not both: with params, the message is one of them.'),
      };
    } else if (message !== undefined && operation !== undefined && !sends) {
      yield { code: 'message-not-sent', range: message.nameRange, severity: 'error', sentence: sentence('{0} takes params, not a message.', operation) };
    } else if (sends && message === undefined && params === undefined) {
      yield { code: 'no-message', range: method?.range ?? nameRange, severity: 'error', sentence: sentence('This request has no message to send.') };
    } else if (operation !== undefined && !sends && operation !== 'ListTasks' && params === undefined) {
      yield { code: 'no-params', range: method?.range ?? nameRange, severity: 'error', sentence: sentence('{0} needs params with the id of the task.', operation) };
    }
  }
}

function* unknownMethods({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { body, method, operation } of requests) {
    if (body === undefined && method !== undefined && operation === undefined) {
      yield {
        code: 'unknown-method', range: method.range, severity: 'error', inSchema: true,
        sentence: sentence('"{0}" is no operation of A2A.', method.value),
      };
    }
  }
}

function* missingAgents({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { agent, nameRange } of requests) {
    if (agent === undefined) {
      yield { code: 'no-agent', range: nameRange, severity: 'warning', sentence: sentence('This request does not say which agent it is for.') };
    }
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
      // What data beyond the file gives is known when it is read.
      if (problem !== undefined && !(rows === 'any' && problem.code === 'unknown-name')) yield problem;
    }
  }
}

function* unclosedBraces({ text, variables, requests }: RequestFileContent): Iterable<RequestProblem> {
  const values = [...variables.values()].map(({ node }) => node);
  for (const { members } of requests) {
    for (const key of ['message', 'params'] as const) {
      const value = members.get(key)?.value;
      if (value !== undefined) values.push(value);
    }
  }
  for (const node of values) yield* unclosedIn(text, node);
}
