import * as z from 'zod';

const common = {
  mediaType: z.string().meta({ description: 'Media type of the content, such as `text/plain` or `image/png`.' }).optional(),
  filename: z.string().meta({ description: 'Suggested file name.' }).optional(),
  metadata: z.record(z.string(), z.unknown()).meta({ description: 'Extra data about this part.' }).optional(),
};

export const TextPart = z
  .strictObject({
    text: z.string().meta({ description: 'The text itself.' }),
    ...common,
  })
  .meta({ description: 'A part of plain text or Markdown.' });

export const RawPart = z
  .strictObject({
    raw: z.string().meta({ description: 'The bytes, in standard base64.' }),
    ...common,
  })
  .meta({ description: 'A file, carried inside the message.' });

export const UrlPart = z
  .strictObject({
    url: z.string().meta({ description: 'Where the file can be fetched.' }),
    ...common,
  })
  .meta({ description: 'A file, by reference.' });

export const DataPart = z
  .strictObject({
    data: z.unknown().meta({ description: 'Any JSON value.' }),
    ...common,
  })
  .meta({ description: 'Structured data.' });

/** One piece of content: exactly one of `text`, `raw`, `url`, `data` (A2A 1.0 §4.1.6). */
export const Part = z.union([TextPart, RawPart, UrlPart, DataPart]);

export type TextPart = z.infer<typeof TextPart>;
export type RawPart = z.infer<typeof RawPart>;
export type UrlPart = z.infer<typeof UrlPart>;
export type DataPart = z.infer<typeof DataPart>;
export type Part = TextPart | RawPart | UrlPart | DataPart;

/** The type of part for each member that can hold a part's content. */
interface PartOfKind {
  readonly text: TextPart;
  readonly raw: RawPart;
  readonly url: UrlPart;
  readonly data: DataPart;
}
export type PartKind = keyof PartOfKind;

/** Tests for the member, not its value: `text: ""` and `data: null` are valid content. */
export function partKind(part: Part): PartKind {
  if ('text' in part) return 'text';
  if ('raw' in part) return 'raw';
  if ('url' in part) return 'url';
  return 'data';
}

/** The text of all parts, joined without a separator: chunks of one text arrive as separate parts. */
export function textOf(parts: readonly Part[]): string {
  return parts.map(part => ('text' in part ? part.text : '')).join('');
}

/** The media type of a part; what it is without one depends on its kind. */
export const mediaTypeOf = (part: Part): string =>
  part.mediaType ?? ('text' in part ? 'text/plain' : 'data' in part ? 'application/json' : 'application/octet-stream');
