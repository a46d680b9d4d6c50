/** The observable effect of a successful attack, which identifies the attack and its place. */
export interface Hit {
  /** A script: counts the hit. Holds no quotes, so that it can stand between any. */
  readonly code: string;
  /** What is loaded, or led to. */
  readonly url: string;
}

/** One thing that an agent could write. */
export type Vector = (hit: Hit) => string;

export const hitOf = (number: number): Hit => ({ code: `executions.push(${number})`, url: `http://evil.invalid/${number}` });

/** The number of the hit that a request for this address is; undefined for an address of no attack. */
export function hitAt(url: string): number | undefined {
  const [, digits] = /evil\.invalid(?::\d+)?\/(\d+)/.exec(url) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Each of the one in each of the other. */
export function crossed<A, B>(some: readonly A[], others: readonly B[], make: (a: A, b: B) => Vector): Vector[] {
  return some.flatMap(a => others.map(b => make(a, b)));
}

/** Attacks of their own that are put into other contexts: one for each way in. */
export const cores: readonly Vector[] = [
  ({ code }) => `<img src=x onerror="${code}">`,
  ({ code }) => `<svg onload=${code}>`,
  ({ code }) => `<script>${code}</script>`,
  ({ code }) => `<iframe src="javascript:parent.${code}"></iframe>`,
  ({ code }) => `<a href="javascript:${code}">x</a>`,
  ({ url }) => `<img src="${url}">`,
];
