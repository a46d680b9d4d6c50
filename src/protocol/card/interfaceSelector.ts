import * as z from 'zod';

/** What a person asks for instead of the card's own order of interfaces; each member narrows the choice. */
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
 * A wish in few words, in any order: a binding, a version (a word that begins with a digit), an address. `HTTP+JSON`, `0.3`, `GRPC 1.0`.
 * Undefined for text that says nothing or says one thing twice.
 */
export function parseWantedInterface(text: string): InterfaceSelector | undefined {
  const wanted: { -readonly [Member in keyof InterfaceSelector]: InterfaceSelector[Member] } = {};
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const member = word.includes('://') ? 'url' : /^\d/.test(word) ? 'protocolVersion' : 'protocolBinding';
    if (wanted[member] !== undefined) return undefined;
    wanted[member] = word;
  }
  return Object.keys(wanted).length === 0 ? undefined : wanted;
}

/** True where the wish leaves nothing to the card. */
export const wantsNothing = (wanted: InterfaceSelector | undefined): boolean =>
  wanted === undefined || Object.values(wanted).every(value => value === undefined);
