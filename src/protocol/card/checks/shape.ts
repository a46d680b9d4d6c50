import { isObject } from '../../json.ts';
import { sentence } from '../../problem.ts';
import { filling } from './emptiness.ts';
import { objectsIn, withSkills, type CardCheck, type CardEdit, type CardFault, type CardPath, type Fields } from './cardFault.ts';

/** Values for a missing required member, until its author replaces them. */
const required: readonly Fields[] = [
  {
    name: '',
    description: '',
    version: '1.0.0',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  },
  { id: '', name: '', description: '', tags: [] },
];
const flags = [
  'streaming',
  'pushNotifications',
  'extendedAgentCard',
  'stateTransitionHistory',
  'supportsAuthenticatedExtendedCard',
  'required',
];
const words: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  on: true,
  '1': true,
  no: false,
  false: false,
  off: false,
  '0': false,
};
const textLists = ['defaultInputModes', 'defaultOutputModes', 'inputModes', 'outputModes', 'tags', 'examples'];

/** Members that are missing or of another type, where it is clear what was meant. The schema of cards finds them; this check only adds fixes. */
export const shape: CardCheck = function* (card) {
  for (const [path, holder] of withSkills(card)) {
    for (const [name, value] of Object.entries(required[path.length === 0 ? 0 : 1]!)) {
      if (holder[name] !== undefined) continue;
      const filled = Array.isArray(value) && value.length === 0 ? filling(name, holder) : value;
      yield fault(path, sentence('Add "{0}"', name), { path: [...path, name], value: filled });
    }
    for (const name of textLists) yield* ofText(holder, path, name);
  }
  const { capabilities } = card.card;
  const extensions = objectsIn(isObject(capabilities) ? capabilities['extensions'] : undefined);
  const holders: readonly (readonly [CardPath, unknown])[] = [
    [[], card.card],
    [['capabilities'], capabilities],
    ...extensions.map(([index, extension]) => [['capabilities', 'extensions', index], extension] as const),
  ];
  for (const [path, holder] of holders) {
    if (!isObject(holder)) continue;
    for (const name of flags) {
      const written = holder[name];
      const value = typeof written === 'string' || typeof written === 'number' ? words[String(written).toLowerCase()] : undefined;
      if (value !== undefined) yield fault([...path, name], sentence('Change to {0}', String(value)), { path: [...path, name], value });
    }
  }
};

/** A text in the place of a list of texts. */
function* ofText(holder: Fields, path: CardPath, name: string): Generator<CardFault> {
  const written = holder[name];
  if (typeof written !== 'string' || written.trim() === '') return;
  const value = written.split(',').map(one => one.trim());
  yield fault([...path, name], sentence('Make it a list'), { path: [...path, name], value });
}

const fault = (path: CardPath, title: CardFault['sentence'], edit: CardEdit): CardFault => ({
  code: 'shape',
  path,
  severity: 'warning',
  sentence: title,
  fixes: [{ title, edits: [edit] }],
});
