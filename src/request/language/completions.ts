import { templatedKeys } from '../file/requestEntry.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { mediaTypesFor, skillIds, type CardValue } from './cardValues.ts';
import type { Completion, CompletionKind } from './completion.ts';
import { emptyFileOffers } from './emptyFileOffers.ts';
import { placeAt, type CaretPosition } from './caretPosition.ts';
import { completeTemplate } from './templateCompletions.ts';
import { agentNamed, textOfValue, type LanguageContext } from './languageContext.ts';
import { endOf } from '../text/textRange.ts';
import { escapedBraces, isReferable } from '../template/template.ts';
import { knownMediaTypes } from '../text/mediaTypes.ts';

/** A possible value. Foreign text, in which nothing is filled in, unless `isTemplate`. */
interface Offer {
  readonly text: string;
  readonly isTemplate?: boolean;
  readonly detail?: string;
}

interface ValueRow {
  readonly kind: CompletionKind;
  /** Matches the paths where these values fit; positions in the path are `*`. */
  readonly fits: RegExp;
  offers(file: RequestFile, place: CaretPosition, world: LanguageContext): readonly Offer[];
}

const agentOf = (file: RequestFile, { entry }: CaretPosition): string => textOfValue((entry?.agent ?? file.agent)?.value ?? '');
const cardOf = (file: RequestFile, place: CaretPosition, world: LanguageContext) => agentNamed(world, agentOf(file, place))?.card;
const plain = (values: readonly CardValue[]): Offer[] => values.map(({ value, from }) => ({ text: value, detail: from }));

/** Names of the other requests, which this one may follow. */
function others(file: RequestFile, { entry }: CaretPosition): string[] {
  return [
    ...[...file.byName.keys()].filter(name => name !== entry?.name),
    ...[...file.imported].filter(([name, { request }]) => request !== undefined && !file.byName.has(name)).map(([name]) => name),
  ];
}

/** Which values are offered where. */
const rows: readonly ValueRow[] = [
  {
    kind: 'agent',
    fits: /^(?:agent|matrix\.agent\.\*)$/,
    offers: (_file, _place, { agents }) => agents.map(({ name, url }) => ({ text: name, detail: url })),
  },
  {
    kind: 'request',
    fits: /^after$/,
    offers: (file, place) =>
      others(file, place).map(text => ({ text, detail: file.byName.has(text) ? undefined : file.imported.get(text)?.home.shown })),
  },
  {
    kind: 'id',
    fits: /^params\.(id|message\.taskId|message\.referenceTaskIds\.\*)$/,
    offers: (file, place, world) => [
      ...others(file, place)
        .filter(isReferable)
        .map(name => ({ text: `{{${name}.task.id}}`, isTemplate: true })),
      ...world
        .tasks(agentOf(file, place))
        .map(({ id, title, state }) => ({ text: id, detail: [title, state].filter(Boolean).join(' · ') })),
    ],
  },
  {
    kind: 'id',
    fits: /^params\.(message\.)?contextId$/,
    offers: (file, place, world) => [
      ...others(file, place)
        .filter(isReferable)
        .map(name => ({ text: `{{${name}.context.id}}`, isTemplate: true })),
      ...world.contexts(agentOf(file, place)).map(({ id, title }) => ({ text: id, detail: title })),
    ],
  },
  {
    kind: 'mediaType',
    fits: /^(message|params\.message\.parts)\.\*\.mediaType$/,
    offers: (file, place, world) => mediaTypeOffers(plain(mediaTypesFor(cardOf(file, place, world), 'input'))),
  },
  {
    kind: 'mediaType',
    fits: /^(params\.configuration\.acceptedOutputModes\.\*|expect\.artifacts\.\*\.mediaType)$/,
    offers: (file, place, world) => mediaTypeOffers(plain(mediaTypesFor(cardOf(file, place, world), 'output'))),
  },
  { kind: 'skill', fits: /metadata\.(.*\.)?skill(_?id)?$/i, offers: (file, place, world) => plain(skillIds(cardOf(file, place, world))) },
];

const mediaTypeOffers = (ofCard: readonly Offer[]): readonly Offer[] =>
  ofCard.length > 0 ? ofCard : knownMediaTypes.map(text => ({ text }));

/**
 * Completions at the caret beyond those of the JSON schema: from this file, from agents and from the history. Accepts any text and any
 * offset.
 */
export function completions(file: RequestFile, offset: number, world: LanguageContext): readonly Completion[] {
  const ofEmpty = emptyFileOffers(file, offset, world);
  if (ofEmpty.length > 0) return ofEmpty;
  const place = placeAt(file, offset);
  if (place === undefined || place.isKey) return [];
  if (place.template !== undefined) return !holdsTemplates(place) ? [] : completeTemplate(file, place, place.template, world);
  const path = place.path.map(step => (typeof step === 'number' ? '*' : step)).join('.');
  return rows
    .filter(({ fits }) => fits.test(path))
    .flatMap(({ kind, offers }) =>
      offers(file, place, world).map(({ text, detail, isTemplate }, rank): Completion => {
        const written = JSON.stringify(isTemplate === true || !holdsTemplates(place) ? text : escapedBraces(text));
        return { label: text, kind, detail, rank, range: place.range, insert: place.inString ? inQuotes(file, place, written) : written };
      }),
    );
}

/** The other keys are used when the file is read and cannot contain templates. */
const holdsTemplates = ({ path: [first] }: CaretPosition): boolean =>
  first === 'variables' || (templatedKeys as readonly unknown[]).includes(first);

/** Adds the closing quote unless one already follows the range. */
function inQuotes({ text }: RequestFile, { range }: CaretPosition, written: string): string {
  return text[endOf(range)] === '"' ? written.slice(1, -1) : written.slice(1);
}
