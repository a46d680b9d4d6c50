import { agentCardSchema } from './agentCardSchema.ts';
import { defaultsSchema } from './defaultsSchema.ts';
import { environmentsSchema } from './environmentsSchema.ts';
import { validationKeywords, type JsonSchema } from './jsonSchema.ts';
import { requestFileSchema } from './requestFileSchema.ts';

/** The JSON schemas that are shipped, by file name: draft-07, generated from the zod types. */
export function jsonSchemas(): Readonly<
  Record<'a2a.schema.json' | 'agent-card.schema.json' | 'defaults.schema.json' | 'environments.schema.json', JsonSchema>
> {
  return {
    'a2a.schema.json': offering(requestFileSchema()),
    'agent-card.schema.json': offering(agentCardSchema()),
    'defaults.schema.json': offering(defaultsSchema()),
    'environments.schema.json': environmentsSchema(),
  };
}

/**
 * A schema for completion and hover that reports no problems. Problems come from `schemaProblems`, in editors and terminals; the editor's
 * JSON support would report them a second time as warnings, and underline all of an object that lacks a member (1.139). It takes
 * completions from an `if` as well, and a condition reports no problems.
 */
function offering({ $schema, title, description, allowComments, allowTrailingCommas, definitions, ...rest }: JsonSchema): JsonSchema {
  const shipped = { $schema, title, description, allowComments, allowTrailingCommas, definitions, if: rest };
  return JSON.parse(
    JSON.stringify(shipped, (keyword, value: unknown) => ((validationKeywords as readonly string[]).includes(keyword) ? undefined : value)),
  ) as JsonSchema;
}
