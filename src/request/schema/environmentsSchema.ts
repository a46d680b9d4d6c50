import { productionMark, sharedSection } from '../environment/environments.ts';
import { draft07, type JsonSchema } from './jsonSchema.ts';

/** The JSON schema of environment files: an object of variables for each environment. */
export function environmentsSchema(): JsonSchema {
  const variables = (description: string): JsonSchema => ({
    type: 'object',
    description,
    additionalProperties: { description: 'The value of a variable: any JSON. Texts may hold `{{…}}`.' },
  });
  const environment = variables('Variables of this environment, by name.');
  return {
    $schema: draft07,
    title: 'Environments of A2A request files',
    description: 'Variables of request files in this folder and below, by environment.',
    type: 'object',
    properties: { [sharedSection]: variables('Variables that all environments have.') },
    additionalProperties: {
      ...environment,
      properties: {
        [productionMark]: {
          description:
            '`true` marks the environment: it is shown in red, and nothing is sent in it without a question. Then it is not a variable.',
          default: true,
        },
      },
    },
  };
}
