import { fileKeys } from '../file/keys.ts';
import { headersKey, productionMark, sharedSection } from '../environment/environments.ts';
import { draft07, jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';

/** The JSON schema of environment files: an object of variables for each environment. */
export function environmentsSchema(): JsonSchema {
  const variables = (description: string): JsonSchema => ({
    type: 'object',
    description,
    additionalProperties: { description: 'The value of a variable: any JSON. Texts may hold `{{…}}`.' },
  });
  const environment = variables('Variables of this environment, by name.');
  // A value of another type is a variable.
  const { description: _, type: __, ...headers } = jsonSchemaOf(fileKeys.headers);
  const keys = {
    [headersKey]: {
      ...headers,
      description:
        'HTTP headers of all requests that are sent in this environment; those of the same name in defaults, files and requests are stronger. An object is then not a variable. Values are masked wherever a request is shown.',
    },
  };
  return {
    $schema: draft07,
    title: 'Environments of A2A request files',
    description: 'Variables of request files in this folder and below, by environment.',
    type: 'object',
    properties: { [sharedSection]: { ...variables('Variables that all environments have.'), properties: keys } },
    additionalProperties: {
      ...environment,
      properties: {
        ...keys,
        [productionMark]: {
          description:
            '`true` marks the environment: it is shown in red, and nothing is sent in it without a question. Then it is not a variable.',
          default: true,
        },
      },
    },
  };
}
