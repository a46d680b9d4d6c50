import { defaultsKeys } from '../file/keys.ts';
import { draft07, jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';

/** The JSON schema of `a2a.defaults.json`. */
export function defaultsSchema(): JsonSchema {
  return {
    $schema: draft07,
    title: 'Defaults of A2A request files',
    description: 'What holds for the request files in this folder and below that do not say otherwise.',
    allowComments: true,
    allowTrailingCommas: true,
    type: 'object',
    properties: Object.fromEntries(Object.entries(defaultsKeys).map(([key, type]) => [key, jsonSchemaOf(type)])),
    additionalProperties: false,
  };
}
