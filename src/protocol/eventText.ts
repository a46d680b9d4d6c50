import type { Frame } from './exchange.ts';

/** The parts of an event that its text is made of. */
type Written = Pick<Frame, 'data'> & { readonly [Name in 'bytes' | 'event' | 'id' | 'around']?: Frame[Name] | undefined };

/**
 * An event of a stream as it came, from the event before to its blank line, with what of it was masked; of what is no server-sent event, its
 * data. Made anew of its fields where it is not known how it came.
 */
export function eventText({ data, bytes, event, id, around }: Written): string {
  if (bytes !== undefined) return data;
  const lines = data.split('\n');
  if (around?.length === lines.length + 1) return around.map((text, index) => text + (lines[index] ?? '')).join('');
  const fields = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...lines.map(line => `data: ${line}`),
  ];
  return `${fields.join('\n')}\n`;
}
