import type { Hole } from '../text/pieced.ts';
import { literal, scriptName, type LiteralStyle } from './literal.ts';
import type { HttpRequest } from './curl.ts';

/** One time that a request is sent by a script. */
export interface K6Step {
  /** For people: also the name of its checks. */
  readonly title: string;
  /** Key of its request, by which later ones refer to it. */
  readonly key: string;
  /** Its position, where the request is sent several times. */
  readonly row?: number;
  /** The request as sent over HTTP. */
  readonly request: HttpRequest;
  /** Key of the request whose conversation it continues. */
  readonly after?: string;
  /** The row of `after`. */
  readonly afterRow?: number;
  /** Pause before it, in milliseconds. */
  readonly delayMs?: number;
  /** States of which its task has to be in one at the end. */
  readonly states?: readonly string[];
  /** The agent must refuse it. */
  readonly refused?: boolean;
}

/** A script for k6 (https://k6.io) that sends requests one after the other, once in each iteration. Secrets are read from `__ENV`. */
export function k6Script(steps: readonly K6Step[]): string {
  return `${head}
export default function () {
  results = {};
${steps.map(step => stepOf(step)).join('\n')}
}
${tail}`;
}

/** The expression for a hole: by default a variable of the process environment. */
const expressionOf = ({ variable, expression = `__ENV.${variable}` }: Hole): string => expression;

const style: LiteralStyle = {
  true: 'true',
  false: 'false',
  null: 'null',
  text: pieces => {
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined) return 'text' in only ? JSON.stringify(only.text) : expressionOf(only);
    return `\`${pieces.map(piece => ('text' in piece ? escaped(piece.text) : `\${text(${expressionOf(piece)})}`)).join('')}\``;
  },
  json: hole => `JSON.parse(${expressionOf(hole)})`,
  name: scriptName,
};

/** A text between the backquotes of a template literal, on one line: there a carriage return would become a line feed. */
const escaped = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/`|\$(?=\{)/g, '\\$&');

function stepOf({ title, key, row, request, after, afterRow, delayMs, states, refused }: K6Step): string {
  const own = { url: request.url, headers: Object.fromEntries(request.headers), body: request.body };
  const wanted = refused === true ? { refused } : states === undefined ? {} : { states };
  const options = { ...(after !== undefined && { after, afterRow }), ...(row !== undefined && { row }), ...wanted };
  return [
    `  // ${title.replaceAll(/[\s\p{Cc}]+/gu, ' ')}`,
    ...(delayMs === undefined ? [] : [`  sleep(${delayMs / 1000});`]),
    `  send(${JSON.stringify(title)}, ${JSON.stringify(key)}, ${literal(own, style, '  ')}, ${JSON.stringify(options)});`,
  ].join('\n');
}

const head = `// Written by "a2a export --k6". Secrets come from the environment: k6 run -e A2A_SECRET_NAME=… script.js
import http from 'k6/http';
import { check, sleep } from 'k6';

// How much load: see https://grafana.com/docs/k6/latest/using-k6/k6-options/
export const options = { vus: 1, iterations: 1 };

let results = {};
`;

const tail = `
function send(title, key, { url, headers, body }, { after, afterRow, row, states, refused }) {
  if (after !== undefined) Object.assign(body.params.message, continued(afterRow === undefined ? results[after] : at(after, [afterRow])));
  const response = http.post(url, typeof body === 'string' ? body : JSON.stringify(body), { headers, tags: { name: title } });
  const result = resultOf(response);
  if (row === undefined) results[key] = result;
  else (results[key] = results[key] || [])[row] = result;
  const bad = ['failed', 'rejected', 'canceled'];
  check(result, {
    [title]: one =>
      refused ? one.error !== undefined : one.error === undefined && (states ? states.includes(one.state) : !bad.includes(one.state)),
  });
}

// The task and the message of an answer, in one piece or as a stream, in the words of A2A 1.0 or 0.3.
function resultOf(response) {
  const answers = String(response.body).startsWith('{')
    ? [JSON.parse(response.body)]
    : String(response.body)
        .split(/\\r?\\n/)
        .filter(line => line.startsWith('data:'))
        .map(line => JSON.parse(line.slice(5)));
  const result = { status: response.status };
  if (answers.length === 0 || response.status >= 400) result.error = { code: response.status, message: 'HTTP ' + response.status };
  for (const { error, result: value } of answers) {
    if (error) result.error = error;
    if (!value) continue;
    result.value = value;
    const of = name => value[name] || (value.kind === name.replace('Update', '-update') ? value : undefined);
    const [status, artifact] = [of('statusUpdate'), of('artifactUpdate')];
    const task = of('task') || (value.status && value.id ? value : undefined);
    if (task) result.task = task;
    if (of('message')) result.message = of('message');
    if (status) result.task = { ...(result.task || { id: status.taskId, contextId: status.contextId }), status: status.status };
    if (artifact && result.task) result.task = { ...result.task, artifacts: [...(result.task.artifacts || []), artifact.artifact] };
  }
  const { task, message } = result;
  if (task) result.state = task.status.state.toLowerCase().replace('task_state_', '').replace(/_/g, '-');
  if (task && !message) result.message = task.status.message;
  const context = (task || message || {}).contextId;
  if (context) result.context = { id: context };
  return result;
}

// Where a message goes that continues the conversation of an earlier one.
function continued({ task, context, state }) {
  const open = ['input-required', 'auth-required'].includes(state);
  return { contextId: context && context.id, ...(task && (open ? { taskId: task.id } : { referenceTaskIds: [task.id] })) };
}

function at(key, path) {
  let value = results[key];
  for (const step of path) {
    if (step === 0 && !Array.isArray(value) && value === results[key]) continue;
    value = value && (typeof step === 'number' && step < 0 ? value[value.length + step] : value[step]);
  }
  if (value === undefined) throw new Error(key + ' has brought no ' + path.join('.'));
  return value;
}

function text(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function random(from, to) {
  return from + Math.floor(Math.random() * (to - from + 1));
}

function uuid() {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, digit => {
    const number = random(0, 15);
    return (digit === 'x' ? number : (number & 3) | 8).toString(16);
  });
}
`;
