import { exactJson } from '../../protocol/json/exactJson.ts';
import { isObject } from '../../protocol/json.ts';
import { holdsMany } from '../../protocol/json/valueCount.ts';
import type { Part } from '../../protocol/message/part.ts';
import { sentence } from '../../protocol/problem.ts';
import { schemaFaults, type SchemaFault } from './schemaFaults.ts';
import type { Entry } from '../../protocol/message/transcript.ts';

/**
 * The JSON Schema that a message wants its answer to have: `schema` in the metadata of one of its parts, as structured output is asked
 * for since A2A 0.1. Undefined where it wants none.
 */
function outputSchemaOf(parts: readonly Part[]): unknown {
  return parts.map(({ metadata }) => metadata?.['schema']).find(isObject);
}

/** Where a part departs from the schema that the message asked for; data, or a text that is to be JSON. Null for what is not to be checked. */
export function outputFaults(asked: Entry, part: Part): readonly SchemaFault[] | null {
  const schema = asked.kind === 'message' ? outputSchemaOf(asked.message.parts) : undefined;
  if (schema === undefined) return null;
  if ('data' in part) return schemaFaults(schema, part.data);
  if (!('text' in part)) return null;
  try {
    return holdsMany(part.text) ? null : schemaFaults(schema, exactJson(part.text));
  } catch {
    return [{ pointer: '', what: sentence('is not JSON') }];
  }
}
