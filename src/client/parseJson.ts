/** Undefined for text that is no JSON; JSON itself has no such value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
