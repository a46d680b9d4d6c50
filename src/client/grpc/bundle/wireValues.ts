import type { DescMessage } from '@bufbuild/protobuf';

/** So many fields on the wire are read of one message: a value in a list is two, a named one four, its name among them. */
const mostFields = 400_000;
/** As deep as messages are read; what is deeper is refused by the reader. */
const deepest = 600;

/** Types of wire, the last three bits of a tag (protobuf.dev/programming-guides/encoding). */
const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * Whether the bytes of a message are more fields than are read, those inside its messages among them: decoding takes time and room for each.
 * Goes no further than that, and not into what is no message of its type, which the reader refuses.
 */
export function holdsMany(bytes: Uint8Array, schema: DescMessage): boolean {
  let left = mostFields;
  let at = 0;
  let broken = false;

  function varint(end: number): number {
    let value = 0;
    for (let scale = 1; at < end; scale *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    broken = true;
    return value;
  }

  function within(end: number, types: Types, depth: number): void {
    while (at < end && left > 0 && !broken) {
      left--;
      const tag = varint(end);
      switch (tag % 8) {
        case wire.varint:
          varint(end);
          break;
        case wire.fixed64:
          at += 8;
          break;
        case wire.fixed32:
          at += 4;
          break;
        case wire.bytes: {
          const length = varint(end);
          const inner = types.get(Math.floor(tag / 8));
          const innerEnd = at + length;
          if (innerEnd > end) broken = true;
          else if (inner === undefined || depth === deepest) at = innerEnd;
          else within(innerEnd, typesIn(inner), depth + 1);
          break;
        }
        default:
          broken = true;
      }
    }
  }

  within(bytes.byteLength, typesIn(schema), 0);
  return left === 0 && !broken;
}

/** The messages inside one, by the numbers of their fields; of a map the entry, which has no descriptor of its own. */
type Types = ReadonlyMap<number, DescMessage | MapEntry>;

interface MapEntry {
  readonly value: DescMessage | undefined;
}

const known = new WeakMap<object, Types>();

function typesIn(type: DescMessage | MapEntry): Types {
  let types = known.get(type);
  if (types === undefined)
    known.set(type, (types = 'fields' in type ? typesOfFields(type) : new Map(type.value === undefined ? [] : [[2, type.value]])));
  return types;
}

function typesOfFields({ fields }: DescMessage): Types {
  return new Map(
    fields.flatMap((field): readonly (readonly [number, DescMessage | MapEntry])[] => {
      if (field.fieldKind === 'map') return [[field.number, { value: field.message }]];
      return (field.fieldKind === 'message' || field.fieldKind === 'list') && field.message !== undefined
        ? [[field.number, field.message]]
        : [];
    }),
  );
}
