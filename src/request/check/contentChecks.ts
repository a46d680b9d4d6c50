import { sentence } from '../../protocol/problem.ts';
import { isFileKey, isRequestKey } from '../file/keys.ts';
import { olderShapes } from '../file/olderShapes.ts';
import { isRawBody } from '../file/rawBody.ts';
import { isContentKey } from '../file/requestEntry.ts';
import type { RequestFileContent } from '../file/requestFile.ts';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import { requestFileSchema } from '../schema/requestFileSchema.ts';
import { memberOf, membersOf, rangeOf } from '../text/jsonNode.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import { contains } from '../text/textRange.ts';
import { schemaProblems } from './schemaProblems.ts';

let schemaOfFiles: JsonSchema | undefined;

/** Violations of the schema. Shapes of older A2A versions have sentences of their own. */
export function* schema({ root, requests }: RequestFileContent): Iterable<RequestProblem> {
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
export function* doubledKeys({ root }: RequestFileContent): Iterable<RequestProblem> {
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
export function* nothingToSend({ root }: RequestFileContent): Iterable<RequestProblem> {
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

export function* content({ requests }: RequestFileContent): Iterable<RequestProblem> {
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

/** A file path where the content of the file is required. */
export function* textAsData({ requests }: RequestFileContent): Iterable<RequestProblem> {
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
