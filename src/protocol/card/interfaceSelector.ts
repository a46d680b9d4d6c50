import * as z from 'zod';

/** Which interface a person asks for, instead of the first one that the card lists. Each member narrows the choice. */
export const InterfaceSelector = z.object({
  url: z.string().meta({ description: 'Address of the interface. One that the card does not list is taken as it is.' }).optional(),
  protocolBinding: z
    .string()
    .meta({ description: 'Binding of the interface, as the card names it.', examples: ['JSONRPC', 'HTTP+JSON', 'GRPC'] })
    .optional(),
  protocolVersion: z
    .string()
    .meta({ description: 'Protocol version of the interface.', examples: ['1.0', '0.3'] })
    .optional(),
});
export type InterfaceSelector = Readonly<z.infer<typeof InterfaceSelector>>;

/**
 * Parses words in any order: a binding, a version (a word that begins with a digit), an address. Examples: `HTTP+JSON`, `0.3`, `GRPC 1.0`.
 * Undefined for an empty text, or where one of the three is given twice.
 */
export function parseInterfaceSelector(text: string): InterfaceSelector | undefined {
  const wanted: { -readonly [Member in keyof InterfaceSelector]: InterfaceSelector[Member] } = {};
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const member = word.includes('://') ? 'url' : /^\d/.test(word) ? 'protocolVersion' : 'protocolBinding';
    if (wanted[member] !== undefined) return undefined;
    wanted[member] = word;
  }
  return Object.keys(wanted).length === 0 ? undefined : wanted;
}

/** True where nothing is selected: the card's own order decides. */
export const isEmptySelector = (wanted: InterfaceSelector | undefined): boolean =>
  wanted === undefined || Object.values(wanted).every(value => value === undefined);
