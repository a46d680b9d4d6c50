import * as z from 'zod';
import type { DataPart, Part } from '../../protocol/message/part.ts';
import { sentence } from '../../protocol/problem.ts';
import { kindOf, neverTurns, shown, type Check } from './check.ts';
import { faultOf } from './schemaFault.ts';

/** Structured answers: at least one data part fits the schema. */
export const data = kindOf(
  z
    .record(z.string(), z.unknown())
    .meta({ description: 'JSON schema (2020-12 or draft-07) that at least one data part of the artifacts, status or message must fit.' }),
  (schema, { task, message }): Check[] => {
    const parts: readonly Part[] = [...(task?.artifacts ?? []), message, task?.status.message].flatMap(holder => holder?.parts ?? []);
    const values = parts.filter((part): part is DataPart => 'data' in part).map(part => part.data);
    if (values.length === 0)
      return [
        {
          path: [],
          failure: {
            message: sentence('The answer has no data part.'),
            expected: shown(schema),
            actual: shown(parts.map(part => ('text' in part ? { text: part.text } : { mediaType: part.mediaType }))),
          },
        },
      ];
    const faults = values.map(value => faultOf(value, schema));
    const [first] = faults;
    if (first === undefined || faults.includes(undefined)) return [{ path: [] }];
    return [
      {
        path: first.schemaPath,
        failure: {
          message: sentence('{0} {1}, so the data does not match the schema.', first.place, first.what),
          expected: shown(first.wanted),
          actual: shown(values.length === 1 ? first.found : values),
        },
      },
    ];
  },
  neverTurns,
);
