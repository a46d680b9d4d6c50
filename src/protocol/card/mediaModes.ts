import type { AgentCard } from './agentCard.ts';

type Modes = Pick<AgentCard, 'defaultInputModes' | 'defaultOutputModes'> & {
  readonly skills: readonly Pick<AgentCard['skills'][number], 'inputModes' | 'outputModes'>[];
};

/** Media types that the agent accepts according to its card and its skills (A2A 1.0 §4.4.1, §4.4.5), without duplicates. */
export const inputModesOf = ({ defaultInputModes, skills }: Modes): readonly string[] => [
  ...new Set([...defaultInputModes, ...skills.flatMap(({ inputModes = [] }) => inputModes)]),
];

/** Media types that the agent produces according to its card and its skills, without duplicates. */
export const outputModesOf = ({ defaultOutputModes, skills }: Modes): readonly string[] => [
  ...new Set([...defaultOutputModes, ...skills.flatMap(({ outputModes = [] }) => outputModes)]),
];

/** Words that older cards use instead of media types. */
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
 * True where one of the modes matches the media type. Parameters and case are ignored, `image/*` matches every image type, and `+json`
 * types match JSON. A card without modes accepts everything.
 */
export function acceptsMediaType(modes: readonly string[], mediaType: string): boolean {
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
