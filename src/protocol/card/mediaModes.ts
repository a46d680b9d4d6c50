import type { AgentCard } from './agentCard.ts';

type Modes = Pick<AgentCard, 'defaultInputModes' | 'defaultOutputModes'> & {
  readonly skills: readonly Pick<AgentCard['skills'][number], 'inputModes' | 'outputModes'>[];
};

/** Media types that an agent takes, by its card and any of its skills (A2A 1.0 §4.4.1, §4.4.5), once each. */
export const inputModesOf = ({ defaultInputModes, skills }: Modes): readonly string[] => [
  ...new Set([...defaultInputModes, ...skills.flatMap(({ inputModes = [] }) => inputModes)]),
];

/** Media types that an agent makes, by its card and any of its skills, once each. */
export const outputModesOf = ({ defaultOutputModes, skills }: Modes): readonly string[] => [
  ...new Set([...defaultOutputModes, ...skills.flatMap(({ outputModes = [] }) => outputModes)]),
];

/** What older cards write instead of a media type. */
const words: Readonly<Record<string, string>> = {
  text: 'text/*',
  image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
  data: 'application/json',
  json: 'application/json',
  file: '*/*',
  '*': '*/*',
};

/**
 * True where one of the modes stands for the media type: parameters and case do not count, `image/*` stands for every picture and
 * `+json` types are JSON. A card that lists no modes refuses nothing.
 */
export function takesMode(modes: readonly string[], mediaType: string): boolean {
  if (modes.length === 0) return true;
  const { type, subtype } = taken(mediaType);
  return modes.some(mode => {
    const wanted = taken(mode);
    if (wanted.type === '*') return true;
    if (wanted.type !== type) return false;
    return (
      wanted.subtype === '*' ||
      wanted.subtype === subtype ||
      (type === 'application' && wanted.subtype === 'json' && subtype.endsWith('+json'))
    );
  });
}

function taken(mode: string): { readonly type: string; readonly subtype: string } {
  const bare = (mode.split(';')[0] ?? '').trim().toLowerCase();
  const [type = '', subtype = ''] = (Object.hasOwn(words, bare) ? (words[bare] ?? bare) : bare).split('/');
  return { type, subtype };
}
