import { agentCardSchema } from './agentCardSchema.ts';
import { environmentsSchema } from './environmentsSchema.ts';
import type { JsonSchema } from './jsonSchema.ts';
import { requestFileSchema } from './requestFileSchema.ts';

/** The JSON schemas that are shipped, by file name; draft-07, made from the zod types they describe. */
export function jsonSchemas(): Readonly<Record<'a2a.schema.json' | 'agent-card.schema.json' | 'environments.schema.json', JsonSchema>> {
  return { 'a2a.schema.json': requestFileSchema(), 'agent-card.schema.json': agentCardSchema(), 'environments.schema.json': environmentsSchema() };
}
