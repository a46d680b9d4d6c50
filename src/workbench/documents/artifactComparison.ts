import type { Part } from '../../protocol/message/part.ts';
import { partFile, type PartFile } from '../../model/partFile.ts';

/** The parts at the same place in two versions, as files. */
export interface ComparedPart {
  readonly name: string;
  readonly left: PartFile;
  readonly right: PartFile;
}

/** Images are compared side by side; a file whose extension is not that of plain text gets `.txt`, so that no other editor opens it. */
const pictures = /\.(png|jpe?g|gif|webp|bmp|ico)$/i;
const plain = /\.(txt|md|json|csv|tsv|xml|html?|css|js|ts|py|java|go|rs|ya?ml|toml|svg|log)$/i;
const nothing: PartFile = { name: 'nothing.txt', bytes: new Uint8Array() };

/**
 * The parts of two versions in pairs: first those with the same file name, then the others in order. A part without a counterpart is
 * compared with an empty file.
 */
export function comparedParts(left: readonly Part[], right: readonly Part[], artifactName: string | undefined): readonly ComparedPart[] {
  const rest = [...right];
  const take = (index: number): Part | undefined => (index < 0 ? undefined : rest.splice(index, 1)[0]);
  const named = left.map(
    part => [part, take(part.filename === undefined ? -1 : rest.findIndex(other => other.filename === part.filename))] as const,
  );
  const pairs: (readonly [Part | undefined, Part | undefined])[] = named.map(([part, other]) => [part, other ?? take(0)]);
  pairs.push(...rest.map(part => [undefined, part] as const));
  return pairs.map(([one, other], index) => ({
    name: one?.filename ?? other?.filename ?? `${index + 1}`,
    left: one === undefined ? nothing : comparable(one, artifactName),
    right: other === undefined ? nothing : comparable(other, artifactName),
  }));
}

/** A URL part is compared as its URL; what it points to is not fetched. */
function comparable(part: Part, artifactName: string | undefined): PartFile {
  const file = partFile('url' in part ? { text: part.url, mediaType: 'text/plain' } : part, artifactName);
  if (pictures.test(file.name)) return file;
  // VS Code would fetch the address in a `$schema` of JSON.
  const safe = plain.test(file.name) && !Buffer.from(file.bytes).includes('"$schema"');
  return safe ? file : { ...file, name: `${file.name}.txt` };
}
