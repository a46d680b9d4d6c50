import type { DescMessage } from '@bufbuild/protobuf';

/**
 * Most fields that are read per message: an item of a list takes two, a named value four, including its name. 95,000 named values took the
 * decoder about as long as 290,000 members of JSON take their parser.
 */
export const maxFields = 240_000;
/** Deepest nesting that is examined; the decoder refuses deeper messages. */
const maxDepth = 600;

/** Wire types: the last three bits of a tag (protobuf.dev/programming-guides/encoding). */
const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * True where a message, including the messages inside it, has more fields than are read: decoding takes time and memory for each. Stops at
 * the limit, and does not enter invalid messages, which the decoder refuses.
 */
export function hasTooManyFields(bytes: Uint8Array, schema: DescMessage): boolean {
  let left = maxFields;
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
          else if (inner === undefined || depth === maxDepth) at = innerEnd;
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

/** The types of inner messages by field number; for a map, its entry, which has no descriptor of its own. */
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
