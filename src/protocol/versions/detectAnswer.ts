import { isObject } from '../json.ts';
import { readTaskState } from '../message/taskState.ts';
import { sentence, type LocalizedMessage } from '../problem.ts';
import { evidence, type Evidence } from './shared/evidence.ts';
import { items } from './shared/fields.ts';
import { wrapperOf } from './shared/readWrapped.ts';

type Fields = Readonly<Record<string, unknown>>;

interface AnswerDetection {
  /** Versions with answers of this shape, most likely first: keys of the table of versions, with `-proto` for their protobuf form. */
  readonly versions: readonly string[];
  readonly evidence: Evidence;
}

interface Row {
  readonly generations: readonly string[];
  readonly shows: (answer: Answer) => Evidence | undefined;
}

/** An answer and the content of its wrapper. */
interface Answer {
  readonly whole: Fields;
  /** Name of the wrapping member; undefined for an answer without a wrapper. */
  readonly member: string | undefined;
  readonly inner: Fields;
}

const kinds = new Set<unknown>(['task', 'message', 'status-update', 'artifact-update']);

/** The first part found anywhere in the answer. */
function firstPart({ parts, artifact, artifacts, status, content }: Fields): Fields | undefined {
  const holders: readonly unknown[] = [artifact, items(artifacts)[0], isObject(status) ? status['message'] : undefined];
  return [parts, content, ...holders.map(holder => (isObject(holder) ? (holder['parts'] ?? holder['content']) : undefined))]
    .map(list => items(list)[0])
    .find(isObject);
}

const stateOf = ({ status }: Fields): unknown => (isObject(status) ? status['state'] : undefined);
const isWord = (state: unknown): boolean => typeof state === 'string' && /^[a-z-]+$/.test(state) && readTaskState(state) !== undefined;
const isConstant = (state: unknown): boolean => typeof state === 'string' && state.startsWith('TASK_STATE_');
const inside = (member: string | undefined, pointer: string, message: LocalizedMessage): Evidence =>
  evidence(member === undefined ? pointer : `/${member}${pointer}`, message);
const fileOf = (inner: Fields): Fields | undefined => {
  const file = firstPart(inner)?.['file'];
  return isObject(file) ? file : undefined;
};

/** Answers of 1.0 and of its release candidate are alike, and those of 0.2 and 0.3. */
const released = ['1.0', '1.0-rc'];
const kinded = ['0.3', '0.2'];
const proto = ['0.3-proto', '0.2-proto'];

/** A message in the answer: the answer itself, that of its status, or the first of its history. */
const messageOf = (inner: Fields): Fields | undefined =>
  [inner, isObject(inner['status']) ? inner['status']['message'] : undefined, items(inner['history'])[0]]
    .filter(isObject)
    .find(({ content, parts, messageId }) => Array.isArray(content) || (Array.isArray(parts) && messageId !== undefined));

/** The first row that matches decides. Where it lists several versions and the request used one of them, that one counts. */
const rows: readonly Row[] = [
  {
    generations: kinded,
    shows: ({ inner, member }) =>
      kinds.has(inner['kind']) ? evidence(member === undefined ? '/kind' : `/${member}/kind`, sentence('it has a kind')) : undefined,
  },
  {
    generations: ['task-rest'],
    shows: ({ inner, member }) =>
      member === undefined && 'taskId' in inner && typeof inner['status'] === 'string'
        ? evidence('/status', sentence('it has a taskId, and its status is a word'))
        : undefined,
  },
  {
    generations: ['0.1'],
    shows: ({ inner, member }) => {
      if ('kind' in inner || 'contextId' in inner || 'taskId' in inner) return undefined;
      if ('sessionId' in inner && 'status' in inner) return inside(member, '/sessionId', sentence('only 0.1 has sessions'));
      const { artifact } = inner;
      if (isObject(artifact) && ['index', 'append', 'lastChunk'].some(name => name in artifact))
        return inside(member, '/artifact', sentence('only artifacts of 0.1 have index, append and lastChunk inside'));
      if (isObject(artifact) && 'id' in inner) return inside(member, '/id', sentence('an artifact event with an id is of 0.1'));
      if ('final' in inner && 'id' in inner && 'status' in inner)
        return inside(member, '/final', sentence('a status event with an id is of 0.1'));
      return 'id' in inner && 'status' in inner && typeof firstPart(inner)?.['type'] === 'string'
        ? inside(member, '', sentence('only parts of 0.1 have a type'))
        : undefined;
    },
  },
  {
    generations: proto,
    shows: ({ inner, member }) => {
      const state = stateOf(inner);
      if ((member === undefined && !isConstant(state)) || isWord(state)) return undefined;
      if (state === 'TASK_STATE_CANCELLED')
        return inside(member, '/status/state', sentence("canceled has two l in 0.3's protocol buffers"));
      if (Array.isArray(messageOf(inner)?.['content']))
        return inside(member, '', sentence("content in the place of parts is of 0.3's protocol buffers"));
      const file = fileOf(inner);
      if (file !== undefined && ('fileWithUri' in file || 'fileWithBytes' in file) && 'mimeType' in file) {
        return inside(member, '', sentence("a file with fileWithBytes or fileWithUri and mimeType is of 0.3's protocol buffers"));
      }
      return 'final' in inner && messageOf(inner) === undefined
        ? inside(member, '/final', sentence("final beside states that begin with TASK_STATE_ is of 0.3's protocol buffers"))
        : undefined;
    },
  },
  {
    generations: ['1.0-draft', ...released],
    shows: ({ inner, member }) => {
      if (member === undefined) return undefined;
      const file = fileOf(inner);
      if (file !== undefined && 'mediaType' in file)
        return evidence(`/${member}`, sentence('a file with a mediaType inside is of the drafts'));
      return isWord(stateOf(inner))
        ? evidence(`/${member}/status/state`, sentence('it is wrapped, and its state is a word in lower case'))
        : undefined;
    },
  },
  {
    generations: [...released, '1.0-draft'],
    shows: ({ inner, member }) => {
      if (member === undefined && !isConstant(stateOf(inner))) return undefined;
      if (stateOf(inner) === 'TASK_STATE_CANCELED') return inside(member, '/status/state', sentence('canceled with one l is of 1.0'));
      if (messageOf(inner) !== undefined) return inside(member, '', sentence('its messages have parts'));
      const part = firstPart(inner);
      return part !== undefined && ('raw' in part || 'url' in part)
        ? inside(member, '', sentence('only parts of 1.0 hold files themselves'))
        : undefined;
    },
  },
  {
    generations: [...released, '1.0-draft', ...proto],
    shows: ({ member }) => (member === undefined ? undefined : evidence(`/${member}`, sentence('it is wrapped'))),
  },
  {
    generations: [...released, ...proto],
    shows: ({ inner }) =>
      isConstant(stateOf(inner)) ? evidence('/status/state', sentence('its state begins with TASK_STATE_')) : undefined,
  },
  {
    generations: kinded,
    shows: ({ inner }) =>
      items(inner['tasks']).some(task => isObject(task) && kinds.has(task['kind']))
        ? evidence('/tasks', sentence('it is a list of tasks that have a kind'))
        : undefined,
  },
  {
    generations: ['1.0-draft', ...released, ...kinded],
    shows: ({ inner }) =>
      items(inner['tasks']).some(task => isObject(task) && isWord(stateOf(task)))
        ? evidence('/tasks', sentence('it is a list of tasks whose states are words in lower case'))
        : undefined,
  },
  {
    generations: [...released, '1.0-draft', ...kinded, ...proto],
    shows: ({ inner }) => (Array.isArray(inner['tasks']) ? evidence('/tasks', sentence('it is a list of tasks')) : undefined),
  },
  {
    generations: ['1.0-draft', ...kinded, '0.1'],
    shows: ({ inner }) => {
      if ('kind' in inner) return undefined;
      const file = fileOf(inner);
      if (file !== undefined && 'mediaType' in file) return evidence('', sentence('a file with a mediaType inside is of the drafts'));
      return isWord(stateOf(inner)) && 'id' in inner
        ? evidence('/status/state', sentence('it is bare without a kind, and its state is a word in lower case'))
        : undefined;
    },
  },
];

/** Detects the protocol version of an operation's result or an event from its shape. Undefined where nothing indicates one. */
export function detectAnswer(whole: Fields): AnswerDetection | undefined {
  const wrapper = 'kind' in whole || 'status' in whole ? undefined : wrapperOf(whole);
  const inner = wrapper === undefined ? whole : (whole[wrapper.member] as Fields);
  const answer = { whole, member: wrapper?.member, inner };
  for (const { generations, shows } of rows) {
    const shown = shows(answer);
    if (shown !== undefined) return { versions: generations, evidence: shown };
  }
  return undefined;
}
