import { create, createFileRegistry, type FileRegistry } from '@bufbuild/protobuf';
import {
  DescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  FileDescriptorProtoSchema,
  type DescriptorProto,
  type FieldDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import type { FieldRow, ProtoPackage, ServicePackage } from './protoPackage.ts';

const imports = [file_google_protobuf_struct, file_google_protobuf_timestamp];
const wellKnown = new Set(['Struct', 'Value', 'Timestamp']);
const scalars: Readonly<Record<string, Type>> = { string: Type.STRING, bytes: Type.BYTES, bool: Type.BOOL, int32: Type.INT32 };

/** Creates the types of a package from its table. */
export function schemaOf(source: ProtoPackage | ServicePackage): FileRegistry {
  const file = create(FileDescriptorProtoSchema, {
    name: `${source.name}.proto`,
    package: source.name,
    syntax: 'proto3',
    dependency: imports.map(({ proto }) => proto.name),
    enumType: Object.entries(source.enums).map(([name, values]) => ({
      name,
      value: values.map((value, number) => ({ name: value, number })),
    })),
    messageType: Object.entries(source.messages).map(([name, fields]) => message(source, name, fields)),
    service:
      'service' in source
        ? [
            {
              name: source.service,
              method: Object.values(source.methods).map(([name, request, answer]) => ({
                name,
                inputType: `.${source.name}.${request}`,
                outputType: `.${source.name}.${answer}`,
                serverStreaming: answer === 'StreamResponse',
              })),
            },
          ]
        : [],
  });
  return createFileRegistry(file, name => imports.find(({ proto }) => proto.name === name));
}

function message(source: ProtoPackage, name: string, rows: Readonly<Record<string, FieldRow>>): DescriptorProto {
  const descriptor = create(DescriptorProtoSchema, { name });
  const oneof = (wanted: string): number => {
    const index = descriptor.oneofDecl.findIndex(declared => declared.name === wanted);
    if (index >= 0) return index;
    descriptor.oneofDecl.push({ $typeName: 'google.protobuf.OneofDescriptorProto', name: wanted });
    return descriptor.oneofDecl.length - 1;
  };
  // In descriptors, the synthetic oneofs of `optional` fields must come last.
  for (const [jsonName, row] of Object.entries(rows).sort(([, one], [, other]) => Number(isOptional(one)) - Number(isOptional(other)))) {
    const made = field(source, jsonName, row);
    if (row[2] !== undefined) made.oneofIndex = oneof(row[2]);
    if (isOptional(row)) {
      made.proto3Optional = true;
      made.oneofIndex = oneof(`_${made.name}`);
    }
    if (row[1].endsWith(' map')) {
      const entry = create(DescriptorProtoSchema, {
        name: `${jsonName[0]!.toUpperCase()}${jsonName.slice(1)}Entry`,
        field: [field(source, 'key', [1, 'string']), { ...made, name: 'value', jsonName: 'value', number: 2, label: Label.OPTIONAL }],
        options: { mapEntry: true },
      });
      descriptor.nestedType.push(entry);
      Object.assign(made, { type: Type.MESSAGE, typeName: `.${source.name}.${name}.${entry.name}` });
    }
    descriptor.field.push(made);
  }
  return descriptor;
}

const isOptional = ([, type]: FieldRow): boolean => type.endsWith('?');

function field(source: ProtoPackage, jsonName: string, [number, type]: FieldRow): FieldDescriptorProto {
  const bare = type.replace(/(\[\]|\?| map)$/, '');
  return create(FieldDescriptorProtoSchema, {
    name: jsonName.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
    jsonName,
    number,
    label: /(\[\]| map)$/.test(type) ? Label.REPEATED : Label.OPTIONAL,
    type: scalars[bare] ?? (bare in source.enums ? Type.ENUM : Type.MESSAGE),
    ...(scalars[bare] === undefined && { typeName: `.${wellKnown.has(bare) ? 'google.protobuf' : source.name}.${bare}` }),
  });
}
