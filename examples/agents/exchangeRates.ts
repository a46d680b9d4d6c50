/** The day the table is dated. */
export const ratesDate = '2026-01-02';

/** How much one euro buys. Round figures for the sample, not market data. */
const perEuro = {
  EUR: 1,
  USD: 1.17,
  GBP: 0.87,
  CHF: 0.93,
  SEK: 10.8,
  NOK: 11.8,
  DKK: 7.47,
  PLN: 4.22,
  JPY: 184,
  CNY: 8.2,
  INR: 105.5,
  AUD: 1.75,
  CAD: 1.6,
} as const;

export type CurrencyCode = keyof typeof perEuro;

export const currencyCodes = Object.keys(perEuro) as CurrencyCode[];

export interface Conversion {
  readonly amount: number;
  readonly from: CurrencyCode;
  readonly to: CurrencyCode;
}

/** The rate, to six significant digits, and the result, rounded as the target currency is paid. */
export function convert({ amount, from, to }: Conversion): { rate: number; result: number } {
  const rate = Number((perEuro[to] / perEuro[from]).toPrecision(6));
  return { rate, result: Number((amount * rate).toFixed(to === 'JPY' ? 0 : 2)) };
}
