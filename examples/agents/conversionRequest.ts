import { currencyCodes, type Conversion, type CurrencyCode } from './exchangeRates.ts';

/** What the user wants, as far as it is known; `unknown` is a currency that was named but is not in the table. */
export type ConversionRequest = { readonly [slot in keyof Conversion]?: Conversion[slot] } & { readonly unknown?: string };

const words: Readonly<Record<string, CurrencyCode>> = {
  '$': 'USD', 'dollar': 'USD', 'dollars': 'USD', '€': 'EUR', 'euro': 'EUR', 'euros': 'EUR', '£': 'GBP', 'pound': 'GBP', 'pounds': 'GBP',
  '¥': 'JPY', 'yen': 'JPY', 'franc': 'CHF', 'francs': 'CHF', 'yuan': 'CNY', 'renminbi': 'CNY', 'rupee': 'INR', 'rupees': 'INR', 'zloty': 'PLN',
};
const signs = '[$€£¥]';
const name = `${signs}|[A-Za-z]{3,}`;
const number = String.raw`\d+(?:,\d{3})*(?:\.\d+)?|\d+,\d+`;

/** Reads what a user said in one task, oldest first. An answer fills the first gap that the earlier texts left. */
export function readConversion(texts: readonly string[]): ConversionRequest {
  return texts.reduce<ConversionRequest>((known, text) => ({ ...withoutUnknown(known), ...read(text, known) }), {});
}

function read(text: string, known: ConversionRequest): ConversionRequest {
  const priced = text.match(new RegExp(`(?<![\\d.,])(${number})\\s*(${name})`)) ?? undefined;
  const signed = text.match(new RegExp(`(${signs})\\s*(${number})`)) ?? undefined;
  const [amountText, fromText] = signed === undefined ? [priced?.[1], priced?.[2]] : [signed[2], signed[1]];
  const target = text.match(new RegExp(`\\b(?:to|into|in)\\s+(${name})`, 'i'))?.[1];
  if (amountText === undefined && known.amount === undefined) return {};

  const amount = amountText === undefined ? {} : { amount: readNumber(amountText) };
  const from = fromText === undefined ? {} : slot('from', fromText);
  const to = target === undefined ? {} : slot('to', target);
  if (fromText !== undefined || target !== undefined) return { ...to, ...from, ...amount };
  const answer = text.match(new RegExp(name, 'g')) ?? [];
  const code = answer.map(currencyOf).find(found => found !== undefined);
  const gap = known.from === undefined ? 'from' : 'to';
  return code === undefined ? { unknown: text } : { [gap]: code };
}

function slot(slotName: 'from' | 'to', text: string): ConversionRequest {
  const code = currencyOf(text);
  return code === undefined ? { unknown: text } : { [slotName]: code };
}

function currencyOf(text: string): CurrencyCode | undefined {
  const code = currencyCodes.find(known => known === text.toUpperCase());
  return code ?? words[text.toLowerCase()];
}

function readNumber(text: string): number {
  // "1,250.50" groups by threes; "9,50" is how much of Europe writes a decimal.
  return Number(/^\d+(,\d{3})+(\.\d+)?$/.test(text) || text.includes('.') ? text.replaceAll(',', '') : text.replace(',', '.'));
}

function withoutUnknown({ unknown: _, ...rest }: ConversionRequest): ConversionRequest {
  return rest;
}
