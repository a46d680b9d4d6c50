import type { Part } from '../../protocol/message/part.ts';
import { partFile, type PartFile } from './partFile.ts';

/** Two parts that stand in the same place of two versions, as files. */
export interface ComparedPart {
  readonly name: string;
  readonly left: PartFile;
  readonly right: PartFile;
}

/** Pictures are shown side by side; whatever is no plain text by its name becomes one, so that no other editor takes it. */
const pictures = /\.(png|jpe?g|gif|webp|bmp|ico)$/i;
const plain = /\.(txt|md|json|csv|tsv|xml|html?|css|js|ts|py|java|go|rs|ya?ml|toml|svg|log)$/i;
const nothing: PartFile = { name: 'nothing.txt', bytes: new Uint8Array() };

/** The parts of two versions in pairs: those of one file name, then the others in their order. What only one has is compared with nothing. */
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

/** A link is compared as its address: what it leads to is not fetched. */
function comparable(part: Part, artifactName: string | undefined): PartFile {
  const file = partFile('url' in part ? { text: part.url, mediaType: 'text/plain' } : part, artifactName);
  if (pictures.test(file.name)) return file;
  // A `$schema` in JSON would make VS Code fetch that address.
  const safe = plain.test(file.name) && !Buffer.from(file.bytes).includes('"$schema"');
  return safe ? file : { ...file, name: `${file.name}.txt` };
}
