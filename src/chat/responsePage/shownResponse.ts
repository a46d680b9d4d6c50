import type { SentPart, ResponseView, ShownAnswer, ShownContent } from '../host/responseMessages.ts';
import { type ShownPart, showParts } from '../transcript/shownParts.ts';

/** A part as the page has it. */
export type PagePart =
  | { readonly is: 'part'; readonly shown: ShownPart; readonly cut: boolean }
  | Extract<SentPart, { readonly is: 'large' }>;

export interface PageContent extends Omit<ShownContent, 'parts'> {
  /** Its number among the contents of all answers. */
  readonly number: number;
  readonly parts: readonly PagePart[];
}

export interface PageAnswer extends Omit<ShownAnswer, 'contents'> {
  readonly contents: readonly PageContent[];
}

/** A response as the page has it: what was sent before is in it. */
export interface ShownResponse extends Omit<ResponseView, 'answers' | 'strings'> {
  readonly answers: readonly PageAnswer[];
}

/**
 * The response after a message of the host. Parts that are marked as the same are taken from `before`, and a text that grew there goes on,
 * so that its closed blocks are not parsed again. Undefined where the host counts on a part that the page does not have.
 */
export function nextResponse(view: ResponseView, before: ShownResponse | undefined): ShownResponse | undefined {
  const known = before?.response === view.response ? before.answers.flatMap(({ contents }) => contents) : [];
  const sent = view.answers.flatMap(({ contents }) => contents);
  // Before anything is changed: texts grow in place.
  if (sent.some(({ parts }, content) => parts.some(({ is }, part) => is === 'same' && known[content]?.parts[part] === undefined)))
    return undefined;
  let number = 0;
  const answers = view.answers.map(answer => ({
    ...answer,
    contents: answer.contents.map((content): PageContent => {
      const had = known[number]?.parts ?? [];
      return { ...content, number: number++, parts: content.parts.map((part, index) => pagePart(part, had[index])) };
    }),
  }));
  const { response, title, running, polling, leftOut } = view;
  return { response, title, running, polling, leftOut, answers };
}

function pagePart(sent: SentPart, before: PagePart | undefined): PagePart {
  if (sent.is === 'large') return sent;
  if (sent.is === 'same') return before!;
  const cut = sent.cut === true;
  return { is: 'part', cut, shown: grown(sent, before) ?? showParts([sent.part])[0]! };
}

/** The text before with what was added to it; undefined where that is not what happened. */
function grown({ part }: Extract<SentPart, { readonly is: 'part' }>, before: PagePart | undefined): ShownPart | undefined {
  if (before?.is !== 'part' || before.shown.kind !== 'text' || !('text' in part)) return undefined;
  const { shown } = before;
  if (shown.part.mediaType !== part.mediaType || !part.text.startsWith(shown.part.text)) return undefined;
  shown.text.append(part.text.slice(shown.part.text.length));
  return { ...shown, part, length: shown.text.length };
}
