import { sentence } from '../../problem.ts';
import { listed, objectsIn, withSkills, type CardCheck, type CardFault, type CardPath } from './cardFault.ts';

/** Skill ids are unique (A2A 1.0 §4.4.5). */
export const uniqueSkills: CardCheck = function* ({ card }) {
  const seen = new Set<string>();
  const skills = objectsIn(card['skills']);
  const all = new Set(skills.map(([, { id }]) => id));
  for (const [index, { id }] of skills) {
    if (typeof id !== 'string') continue;
    const path = ['skills', index, 'id'];
    if (seen.has(id))
      yield {
        code: 'duplicate-skill',
        path,
        // A rule of this tool: A2A does not forbid it.
        severity: 'warning',
        sentence: sentence('Duplicate skill id "{0}".', id),
        get fixes() {
          const free = freeName(id, all);
          return [{ title: sentence('Change to "{0}"', free), edits: [{ path, value: free }] }];
        },
      };
    seen.add(id);
  }
};

function freeName(name: string, taken: ReadonlySet<unknown>): string {
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

const modeLists = ['defaultInputModes', 'defaultOutputModes', 'inputModes', 'outputModes'];

/** Media types for the plain words that cards use in their place: 0.1 had `text`, and many authors still write it. */
const meant: Readonly<Record<string, string>> = {
  text: 'text/plain',
  markdown: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
  data: 'application/json',
  image: 'image/png',
  png: 'image/png',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  audio: 'audio/mpeg',
  mp3: 'audio/mpeg',
  video: 'video/mp4',
  csv: 'text/csv',
  file: 'application/octet-stream',
};

/** RFC 6838 §4.2, plus wildcards (some cards use them) and parameters. */
const mediaType = /^(\*|[a-z0-9][a-z0-9!#$&^_.+-]*)\/(\*|[a-z0-9][a-z0-9!#$&^_.+-]*)(\s*;.*)?$/i;

/** Modes are media types (A2A 1.0 §4.4.1). */
export const mediaTypes: CardCheck = function* (card) {
  for (const [path, holder] of withSkills(card)) {
    for (const list of modeLists) {
      for (const [index, mode] of listed(holder[list])) {
        if (typeof mode === 'string' && !mediaType.test(mode.slice(0, 300))) yield noMediaType(mode, [...path, list, index]);
      }
    }
  }
};

function noMediaType(written: string, path: CardPath): CardFault {
  const word = written.trim().toLowerCase();
  const right = Object.hasOwn(meant, word) ? meant[word] : undefined;
  const isUsual = written === 'text';
  return {
    // Versions before 1.0 had words for media types.
    code: /^[a-z]+$/i.test(written) ? 'media-word' : 'media-type',
    path,
    // The JSON schema of 0.1 has it as the default, and clients understand it.
    severity: isUsual ? 'information' : 'warning',
    sentence: isUsual
      ? sentence('"text" is the A2A 0.1 name of text/plain. Clients understand it, but a media type is unambiguous.')
      : sentence('"{0}" is not a media type. Write type/subtype, such as text/plain.', written),
    fixes: right === undefined ? [] : [{ title: sentence('Change to "{0}"', right), edits: [{ path, value: right }] }],
  };
}

/** An example is a prompt that a person could send (A2A 1.0 §4.4.5). */
export const examples: CardCheck = function* ({ card }) {
  for (const [index, skill] of objectsIn(card['skills'])) {
    for (const [at, example] of listed(skill['examples'])) {
      if (typeof example !== 'string' || example.trim() !== '') continue;
      yield {
        code: 'empty-example',
        path: ['skills', index, 'examples', at],
        severity: 'warning',
        fixes: [],
        sentence: sentence('An example must not be empty.'),
      };
    }
  }
};
