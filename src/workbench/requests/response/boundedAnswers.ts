import type { ShownAnswer, ShownContent } from '../../../chat/host/responseMessages.ts';
import type { Part } from '../../../protocol/message/part.ts';
import { boundedPart, maxBase64, maxName, maxText } from '../../documents/boundedPart.ts';
import type { Answer } from './responseAnswers.ts';

/** Maximum number of answers (rows of data), and of messages and artifacts of one of them. */
const maxAnswers = 100;
const maxContents = 200;
/** Maximum number of parts of a message or an artifact. */
const maxParts = 200;
/** Maximum size of text and base64 of all parts. */
const maxTexts = 3 * maxText;
const maxBytes = 3 * maxBase64;

/** The parts of each content of all answers as the page has them; undefined for one that was too large for it. */
type KnownParts = readonly (readonly (Part | undefined)[])[];

/** Answers to send to the page, the number left out, and the parts that the page has afterwards. */
export interface BoundedAnswers {
  readonly answers: readonly ShownAnswer[];
  readonly leftOut: number;
  readonly known: KnownParts;
}

/**
 * The answers as they are sent to the page: no more than it can show, and what it has already at the same place (`known`) only named.
 */
export function boundedAnswers(all: readonly Answer[], known: KnownParts): BoundedAnswers {
  const room = { text: maxTexts, base64: maxBytes };
  const parts: (readonly (Part | undefined)[])[] = [];
  let leftOut = Math.max(0, all.length - maxAnswers);
  const answers = all.slice(0, maxAnswers).map(({ contents, ...answer }) => {
    leftOut += Math.max(0, contents.length - maxContents);
    return {
      ...answer,
      contents: contents.slice(0, maxContents).map(({ parts: own, name, description, kind }): ShownContent => {
        const had = known[parts.length] ?? [];
        const sent = own.slice(0, maxParts).map(part => boundedPart(part, room));
        parts.push(sent.map(each => (each.is === 'part' ? each.part : undefined)));
        return {
          kind,
          ...(name !== undefined && { name: name.slice(0, maxName) }),
          ...(description !== undefined && { description: description.slice(0, maxName) }),
          parts: sent.map((each, index) => (each.is === 'part' && isSame(each.part, had[index]) ? { is: 'same' } : each)),
          leftOut: Math.max(0, own.length - maxParts),
        };
      }),
    };
  });
  return { answers, leftOut, known: parts };
}

/** Data is the same where it is the same value or object: what has not changed is not read anew. */
function isSame(part: Part, had: Part | undefined): boolean {
  if (had === undefined || part.filename !== had.filename || part.mediaType !== had.mediaType) return false;
  if ('text' in part) return 'text' in had && part.text === had.text;
  if ('raw' in part) return 'raw' in had && part.raw === had.raw;
  if ('url' in part) return 'url' in had && part.url === had.url;
  return 'data' in had && part.data === had.data;
}
