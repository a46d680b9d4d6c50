import { sentence } from '../../protocol/problem.ts';
import { isFileKey, isRequestKey } from '../file/keys.ts';
import { olderShapes } from '../file/olderShapes.ts';
import { isRawBody } from '../file/rawBody.ts';
import { isContentKey, paramKeys, type RequestEntry } from '../file/requestEntry.ts';
import type { RequestFileContent } from '../file/requestFile.ts';
import { isSettingsAlone } from '../file/sections.ts';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import { requestFileSchema } from '#requestSchemas';
import { extendedCard, requestParams, type RequestOperation } from '../text/methods.ts';
import { memberOf, membersOf, rangeOf } from '../text/jsonNode.ts';
import { errorAt, warningAt, type RequestProblem } from '../text/requestProblem.ts';
import { contains, type TextRange } from '../text/textRange.ts';
import { schemaProblems } from './schemaProblems.ts';

let schemaOfFiles: JsonSchema | undefined;

/** Violations of the schema. Shapes of older A2A versions have sentences of their own. */
export function* schema({ sections, requests }: RequestFileContent): Iterable<RequestProblem> {
  if (sections.every(({ root }) => root === undefined)) return;
  const older = requests.flatMap(entry => [...olderShapes(entry)]);
  for (const { problem } of older) yield problem;
  // Where `params` must not be there beside a message, report it as a whole, not each member.
  const isReported = within([
    ...older.map(({ about }) => about),
    ...requests.flatMap(({ members }) => (members.has('message') ? (members.get('params')?.value ?? []) : [])),
  ]);
  schemaOfFiles ??= requestFileSchema();
  for (const { root } of sections)
    for (const problem of root === undefined ? [] : schemaProblems(root, schemaOfFiles)) if (!isReported(problem.range)) yield problem;
}

/** A test for ranges inside of one of these, by binary search: ranges of nodes of one tree contain each other or are apart. */
function within(ranges: readonly TextRange[]): (range: TextRange) => boolean {
  const outer: TextRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.offset - b.offset || b.length - a.length)) {
    const last = outer.at(-1);
    if (last === undefined || !contains(last, range)) outer.push(range);
  }
  return range => {
    let [from, to] = [0, outer.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (outer[middle]!.offset <= range.offset) from = middle + 1;
      else to = middle;
    }
    const last = outer[from - 1];
    return last !== undefined && contains(last, range);
  };
}

/** Only the last of several members with the same name has an effect. */
export function* doubledKeys({ sections }: Pick<RequestFileContent, 'sections'>): Iterable<RequestProblem> {
  const nodes = sections.flatMap(({ root }) => root ?? []);
  for (const node of nodes) {
    if (node.type === 'object') {
      const names = new Set<string>();
      for (const { name, nameRange } of membersOf(node)) {
        if (names.has(name))
          yield { ...warningAt('doubled-key', nameRange, sentence('Duplicate "{0}". The last one is used.', name)), inSchema: true };
        names.add(name);
      }
    }
    for (const child of node.children ?? []) nodes.push(child);
  }
}

/** An object in place of a request that has nothing to send. One whose keys are unknown is reported by the schema. */
export function* nothingToSend({ sections, markdown }: RequestFileContent): Iterable<RequestProblem> {
  const places = sections.flatMap(({ root }) => {
    const list = memberOf(root, 'requests')?.value;
    const nodes = list === undefined ? [root] : list.type === 'array' ? (list.children ?? []) : [];
    return nodes.map(node => ({ node, root }));
  });
  for (const { node, root } of places) {
    const members = membersOf(node);
    if (markdown && node === root && isSettingsAlone(root)) continue;
    if (node?.type !== 'object' || (node === root && members.length === 0) || isRawBody(node, node === root)) continue;
    if (members.some(({ name }) => isContentKey(name) || !(isRequestKey(name) || (node === root && isFileKey(name))))) continue;
    yield errorAt(
      'nothing-to-send',
      memberOf(node, 'name')?.nameRange ?? { offset: node.offset, length: 1 },
      sentence('Nothing to send here: a request needs a message, or a method with params.'),
    );
  }
}

/** Operations without required parameters. */
const withoutParams: readonly RequestOperation[] = ['ListTasks', extendedCard];

export function* content({ requests }: RequestFileContent): Iterable<RequestProblem> {
  for (const { raw, members, method, operation, nameRange } of requests) {
    if (raw !== undefined) continue;
    yield* keysOfParams(members, operation);
    const message = members.get('message');
    const params = members.get('params');
    const sends = method === undefined || operation === 'SendMessage' || operation === 'SendStreamingMessage';
    if (message !== undefined && params !== undefined) {
      yield errorAt(
        'message-and-params',
        params.nameRange,
        sentence('A request has either a message or params, not both: with params, the message goes inside them.'),
      );
    } else if (message !== undefined && operation !== undefined && !sends) {
      yield errorAt('message-not-sent', message.nameRange, sentence('{0} takes params, not a message.', operation));
    } else if (sends && message === undefined && params === undefined) {
      yield errorAt('no-message', method?.range ?? nameRange, sentence('This request has no message to send.'));
    } else if (operation !== undefined && !sends && !withoutParams.includes(operation) && params === undefined) {
      yield errorAt('no-params', method?.range ?? nameRange, sentence('{0} needs params with the id of the task.', operation));
    }
  }
}

/** Keys that are sent as parameters: only where the operation has them, and not a second time. */
function* keysOfParams(members: RequestEntry['members'], operation: RequestOperation | undefined): Iterable<RequestProblem> {
  for (const key of paramKeys) {
    const member = members.get(key);
    if (member === undefined) continue;
    if (operation !== undefined && !Object.hasOwn(requestParams[operation].shape, key)) {
      yield errorAt('not-of-method', member.nameRange, sentence('{0} takes no {1}.', operation, key));
    } else if (memberOf(members.get('params')?.value, key) !== undefined) {
      yield errorAt('key-in-params', member.nameRange, sentence('"{0}" is also in params. Write it in only one of the two places.', key));
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
    yield errorAt('text-as-data', rangeOf(node), sentence('"{0}" is not a table: a file is read with "{1}".', text, `{{$file ${text}}}`));
  }
}
