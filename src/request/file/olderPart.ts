import { isObject } from '../../protocol/json.ts';

const names: Readonly<Record<string, string>> = { bytes: 'raw', uri: 'url', mimeType: 'mediaType', name: 'filename' };

/**
 * Converts a part of A2A 0.3 or earlier (`kind` or `type`, files in `file`) to 1.0 shape (A2A 1.0 §A.2.1). Undefined for any other part.
 * Members of neither version are kept.
 */
export function fromOlderPart(part: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(part)) return undefined;
  const kind = part['kind'] ?? part['type'];
  if (kind !== 'text' && kind !== 'file' && kind !== 'data') return undefined;
  const { kind: _kind, type: _type, file, ...rest } = part;
  if (kind !== 'file' || !isObject(file)) return rest;
  return {
    ...Object.fromEntries(Object.entries(file).map(([name, value]) => [Object.hasOwn(names, name) ? (names[name] ?? name) : name, value])),
    ...rest,
  };
}
