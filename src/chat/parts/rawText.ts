/** Maximum length of base64 decoded as text. */
export const maxText = 400_000;

/** Decodes base64 to text: UTF-8 without control characters; undefined for other bytes and for more than `most` characters of base64. */
export function rawText(base64: string, most = maxText): string | undefined {
  if (base64.length > most) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    return text === '' || /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text) ? undefined : text;
  } catch {
    return undefined; // Not base64 or not UTF-8: shown as a file.
  }
}

const textual = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|toml|javascript|sql|x-sh|x-ndjson)\b)|[+](?:json|xml|yaml)\b/i;

/** True where the media type is a text type. */
export const isTextType = (mediaType: string | undefined): boolean => mediaType !== undefined && textual.test(mediaType);
