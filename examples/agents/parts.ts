import { Buffer } from 'node:buffer';
import type { Part } from '@a2a-js/sdk';

/** A text part (A2A 1.0 §4.1.6 `Part.text`). */
export function textPart(text: string, mediaType = 'text/plain'): Part {
  return { content: { $case: 'text', value: text }, mediaType, filename: '', metadata: undefined };
}

/** A structured part (A2A 1.0 §4.1.6 `Part.data`). Has to be an object: generation 0.3 knows no other data. */
export function dataPart(data: Readonly<Record<string, unknown>>): Part {
  return { content: { $case: 'data', value: data }, mediaType: 'application/json', filename: '', metadata: undefined };
}

/** Bytes in place, base64 on the wire (A2A 1.0 §4.1.6 `Part.raw`). */
export function rawPart(bytes: Uint8Array, mediaType: string, filename: string): Part {
  return { content: { $case: 'raw', value: Buffer.from(bytes) }, mediaType, filename, metadata: undefined };
}

/** What the text parts say, one line each; other parts are passed over. */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap(part => (part.content?.$case === 'text' ? [part.content.value] : [])).join('\n').trim();
}
