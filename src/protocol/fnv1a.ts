/** FNV-1a over UTF-16 code units, 32 bits unsigned: short, stable, and only ever compared with itself. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
