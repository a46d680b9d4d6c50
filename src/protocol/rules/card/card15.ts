import { isObject } from '../../json.ts';
import { camelCase } from '../../card/checks/spelling.ts';
import { sentence } from '../../problem.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { AnswerView, Fields, PassiveCheck, PassiveNote } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { maxItems, objects, step } from '../rule/values.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Names of members are camelCase',
  section: '5.5',
  section0_3: '11.1.5',
  versions: ['1.0', '0.3'],
  passive: true,
  kit: ['DM-SERIAL-001'],
};

/** Members of answers whose own members are whatever an agent or an extension likes. */
const free = new Set(['metadata', 'data']);
const maxDepth = 6;

/** Members of several words that answers have. Others are the author's own, and named as they like (A2A 1.0 §5.7). */
const members = new Set([
  'messageId',
  'contextId',
  'taskId',
  'artifactId',
  'referenceTaskIds',
  'mediaType',
  'statusUpdate',
  'artifactUpdate',
  'lastChunk',
  'nextPageToken',
  'pageSize',
  'totalSize',
  'pushNotificationConfig',
  'taskPushNotificationConfig',
]);

function check(value: Fields, pointer: string, note: PassiveNote, depth = 0): void {
  for (const name of Object.keys(value).slice(0, maxItems)) {
    const inner = value[name];
    const right = name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
    if (right !== name && members.has(right))
      note(`${pointer}/${name}`, sentence('"{0}" should be written in camelCase: "{1}".', name, right));
    if (free.has(name) || depth === maxDepth) continue;
    if (isObject(inner)) check(inner, `${pointer}${step(name)}`, note, depth + 1);
    for (const [index, item] of objects(inner)) check(item, `${pointer}/${name}/${index}`, note, depth + 1);
  }
}

function inResult({ result, pointer }: Pick<AnswerView, 'result' | 'pointer'>, note: PassiveNote): void {
  if (isObject(result)) check(result, pointer, note);
}

export const passive: PassiveCheck = {
  card(view, note) {
    noteFaults(view, note, camelCase, isOneOf('snake-case'));
  },
  answer: inResult,
  event: inResult,
};
