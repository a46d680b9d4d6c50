import { sentence } from '../../protocol/problem.ts';
import { memberOf, rangeOf, type JsonNode } from '../../request/text/jsonNode.ts';
import type { CardCheck, CardProblem } from '../cardProblem.ts';
import { replaceWith } from '../edits.ts';

/** Skill ids are unique (A2A 1.0 §4.4.5). */
export const uniqueSkills: CardCheck = function* ({ root }) {
  const seen = new Set<string>();
  const ids = (memberOf(root, 'skills')?.value?.children ?? [])
    .map(skill => memberOf(skill, 'id')?.value)
    .filter((id): id is JsonNode => id?.type === 'string');
  const all = new Set(ids.map(id => String(id.value)));
  for (const id of ids) {
    const name = String(id.value);
    if (seen.has(name)) {
      const free = freeName(name, all);
      yield {
        code: 'duplicate-skill',
        range: rangeOf(id),
        severity: 'error',
        sentence: sentence('Another skill of this card has the id "{0}" too.', name),
        fixes: [{ title: sentence('Change to "{0}"', free), edits: replaceWith(id, free) }],
      };
    }
    seen.add(name);
  }
};

function freeName(name: string, taken: ReadonlySet<string>): string {
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
export const mediaTypes: CardCheck = function* ({ root }) {
  for (const holder of [root, ...(memberOf(root, 'skills')?.value?.children ?? [])]) {
    for (const list of modeLists) {
      for (const mode of memberOf(holder, list)?.value?.children ?? []) {
        if (mode.type === 'string' && !mediaType.test(String(mode.value))) yield noMediaType(mode);
      }
    }
  }
};

function noMediaType(mode: JsonNode): CardProblem {
  const written = String(mode.value);
  const right = meant[written.trim().toLowerCase()];
  const isUsual = written === 'text';
  return {
    code: 'media-type',
    range: rangeOf(mode),
    // The JSON schema of 0.1 has it as the default, and clients understand it.
    severity: isUsual ? 'information' : 'warning',
    sentence: isUsual
      ? sentence('"text" is the name that A2A 0.1 had for text/plain. Clients understand it; a media type says the same to all.')
      : sentence('"{0}" is not a media type. Write type/subtype, such as text/plain.', written),
    fixes: right === undefined ? [] : [{ title: sentence('Change to "{0}"', right), edits: replaceWith(mode, right) }],
  };
}

/** An example is a prompt that a person could send (A2A 1.0 §4.4.5). */
export const examples: CardCheck = function* ({ root }) {
  for (const skill of memberOf(root, 'skills')?.value?.children ?? []) {
    for (const example of memberOf(skill, 'examples')?.value?.children ?? []) {
      if (example.type !== 'string' || String(example.value).trim() !== '') continue;
      yield {
        code: 'empty-example',
        range: rangeOf(example),
        severity: 'warning',
        fixes: [],
        sentence: sentence('An example must not be empty.'),
      };
    }
  }
};
