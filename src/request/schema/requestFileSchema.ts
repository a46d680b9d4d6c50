import * as z from 'zod';
import { Message } from '../../protocol/message/message.ts';
import { operationParams } from '../../protocol/message/operations.ts';
import { english } from '../../protocol/problem.ts';
import { closed, described, draft07, jsonSchemaOf, referring, withTemplates, type JsonSchema } from './jsonSchema.ts';
import { fileKeys, requestKeys, requestsDescription, WrittenPart } from '../file/keys.ts';
import { CountMatcher } from '../expect/artifacts.ts';
import { ErrorMatcher } from '../expect/error.ts';
import { StatusMatcher } from '../expect/http.ts';
import { Matcher } from '../expect/matcher.ts';
import { State, StateMatcher } from '../expect/state.ts';
import { TimeMatcher } from '../expect/times.ts';
import { methods, requestOperations as operations, requestParams, type RequestOperation } from '../text/methods.ts';
import { isOlderPushMethod } from '../file/olderPushParams.ts';
import { isRemovedKey } from '../file/rawBody.ts';

/** In the file, a message may omit what is generated when it is sent. */
const sendParams = operationParams.SendMessage.extend({
  message: Message.partial({ messageId: true, role: true })
    .extend({ parts: z.array(WrittenPart).meta({ description: 'The content, in order.' }) })
    .meta({ description: 'What to say to the agent.' }),
});

function paramsSchema(operation: RequestOperation): JsonSchema {
  const schema = closed(
    withTemplates(
      jsonSchemaOf(operation === 'SendMessage' || operation === 'SendStreamingMessage' ? sendParams : requestParams[operation]),
    ),
  );
  return { ...schema, extensible: true, description: `Parameters of ${operation}: ${english(methods[operation].description)}` };
}

/** A pattern instead of `enum`: editors would offer the values of an `if` as completions. */
const named = (names: readonly string[]): JsonSchema => ({
  type: 'string',
  pattern: `^(${names.map(name => name.replaceAll('.', '\\.')).join('|')})$`,
});
const methodIs = (names: readonly string[]): JsonSchema => ({ properties: { method: named(names) }, required: ['method'] });

const olderNames = operations.flatMap(operation => methods[operation].olderNames.map(name => ({ name, operation })));

const methodSchema: JsonSchema = {
  type: 'string',
  description: requestKeys.method.description,
  anyOf: [
    { enum: [...operations], enumDescriptions: operations.map(operation => english(methods[operation].description)) },
    {
      enum: olderNames.map(({ name }) => name),
      enumDescriptions: olderNames.map(({ operation }) => `Older name of ${operation}.`),
      enumSortTexts: olderNames.map(({ name }) => `z${name}`),
    },
  ],
};

const messageSnippets = [
  { label: 'Text', description: 'A message of one text.', body: '$1' },
  { label: 'Parts', description: 'A message of several parts.', body: [{ text: '$1' }] },
];

const expectSnippets = [
  { label: 'State', description: 'The task ends in this state.', body: { state: '${1:completed}' } },
  { label: 'Text', description: "The agent's words contain this.", body: { text: '$1' } },
  { label: 'Error', description: 'The agent refuses with this error.', body: { error: '${1:TaskNotFoundError}' } },
];

/** The choices that follow the key when it is completed. */
const stateSnippets = [{ label: 'State', body: '${1|completed,input-required,failed,canceled,rejected,auth-required,working,submitted|}' }];

/** A value or a matcher, for completion and hover alone: `request/check` reports problems, since it knows when an object is a plain value. */
function wantedValue(): JsonSchema {
  const { properties = {} } = jsonSchemaOf(Matcher);
  const told = (schema: JsonSchema): JsonSchema => ({
    ...described(schema),
    ...(schema.enum !== undefined && { examples: schema.enum }),
  });
  const own = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, told(schema)]));
  for (const name of ['not', 'some', 'every']) own[name] = { ...own[name], $ref: '#/definitions/wantedValue' };
  return { description: 'A value, or an object of matchers.', properties: own, additionalProperties: true };
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Definitions for several places of `expect`. Each may refer to those before it. */
function sharedSchemas(): Schemas {
  const shared: Record<string, JsonSchema> = {};
  for (const [name, type] of Object.entries({
    taskState: State,
    matcher: Matcher,
    stateMatcher: StateMatcher,
    errorMatcher: ErrorMatcher,
    statusMatcher: StatusMatcher,
    timeMatcher: TimeMatcher,
    countMatcher: CountMatcher,
  })) {
    // The reference has a description of its own.
    const { description: _, ...schema } = jsonSchemaOf(type);
    shared[name] = schema.enum === undefined ? referring(closed(withTemplates(schema)), shared) : schema;
  }
  return shared;
}

/** The schema of `expect`, in which values can be matchers. */
function expectSchema(type: JsonSchema, shared: Schemas): JsonSchema {
  const { properties = {}, ...schema } = referring(closed(withTemplates(type)), shared);
  const value: JsonSchema = { $ref: '#/definitions/wantedValue' };
  const named = (key: 'paths' | 'headers'): JsonSchema => ({ ...properties[key], additionalProperties: value });
  const ofError = properties['error']?.properties ?? {};
  const error: JsonSchema = { ...properties['error'], properties: { ...ofError, data: { ...described(ofError['data']), ...value } } };
  const matching = { paths: named('paths'), headers: named('headers'), error };
  return {
    extensible: false,
    ...schema,
    properties: { ...properties, ...matching, state: { ...properties['state'], defaultSnippets: stateSnippets } },
    defaultSnippets: expectSnippets,
  };
}

function untilSchema(schema: JsonSchema): JsonSchema {
  const { properties = {} } = schema;
  return {
    ...schema,
    properties: { ...properties, expect: { ...described(properties['expect']), $ref: '#/definitions/expect' } },
    defaultSnippets: [
      {
        label: 'Until',
        description: 'Is sent again until the task is in this state.',
        body: { expect: { state: '${1:completed}' }, times: 10, delay: 500 },
      },
    ],
  };
}

/** Keys that most requests have, in the order in which they are offered; the others follow as they are listed. */
const usual = ['message', 'expect', 'after', 'name', 'method', 'params', 'agent', 'requests', 'variables'];

/** Tells VS Code's JSON support in which order it offers members, which it sorts by their names else. */
const ordered = (properties: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(properties).map(([key, schema], index) => {
      const at = usual.indexOf(key);
      return [key, { ...schema, suggestSortText: String(at < 0 ? usual.length + index : at).padStart(3, '0') }];
    }),
  );

function requestProperties(shared: Schemas): Schemas {
  const properties = Object.fromEntries(Object.entries(requestKeys).map(([key, type]) => [key, jsonSchemaOf(type)]));
  return ordered({
    ...properties,
    method: methodSchema,
    message: { ...properties['message'], defaultSnippets: messageSnippets },
    waitFor: referring(properties['waitFor'] ?? {}, shared),
    configuration: { extensible: true, ...closed(withTemplates(properties['configuration'] ?? {})) },
    expect: { $ref: '#/definitions/expect' },
    until: { $ref: '#/definitions/until' },
  });
}

const definitions = (shared: Schemas): Schemas => ({
  ...Object.fromEntries(operations.map(operation => [operation, paramsSchema(operation)])),
  wantedValue: wantedValue(),
  ...shared,
  // They are large and stand wherever a request does.
  expect: expectSchema(jsonSchemaOf(requestKeys.expect), shared),
  until: untilSchema(jsonSchemaOf(requestKeys.until)),
});
const paramsOf = (operation: RequestOperation): JsonSchema => ({ properties: { params: { $ref: `#/definitions/${operation}` } } });

/** The parameters of a request depend on its method. */
const paramsByMethod: JsonSchema[] = [
  {
    if: { not: { required: ['method'] } },
    then: paramsOf('SendMessage'),
  },
  ...operations.map(operation => ({
    // Their parameters are read in the older shape as well.
    if: methodIs([operation, ...methods[operation].olderNames.filter(name => !isOlderPushMethod(name))]),
    then: paramsOf(operation),
  })),
];

const requestSnippets = [
  { label: 'Message', description: 'Sends a text to the agent.', body: { name: '${1:ask}', message: '${2:Hello}' } },
  {
    label: 'Follow-up',
    description: 'Continues the conversation of an earlier request.',
    body: { name: '${1:again}', after: '${2:ask}', message: '$3' },
  },
  {
    label: 'Get task',
    description: 'Reads the task of an earlier request.',
    body: { name: '${1:look}', method: 'GetTask', params: { id: '{{${2:ask}.task.id}}' } },
  },
  {
    label: 'List tasks',
    description: 'Lists the tasks of the agent.',
    body: { name: '${1:list}', method: 'ListTasks', params: { pageSize: '^${2:10}' } },
  },
  {
    label: 'Cancel task',
    description: 'Cancels the task of an earlier request.',
    body: { name: '${1:cancel}', method: 'CancelTask', params: { id: '{{${2:ask}.task.id}}' } },
  },
];

function requestSchema(properties: Schemas): JsonSchema {
  return {
    type: 'object',
    description: 'One request: a message to an agent, or another operation with its params.',
    properties,
    additionalProperties: false,
    allOf: paramsByMethod,
    defaultSnippets: requestSnippets,
  };
}

const fileProperties = (): Schemas => ordered(Object.fromEntries(Object.entries(fileKeys).map(([key, type]) => [key, jsonSchemaOf(type)])));

function severalRequests(properties: Schemas, ofFile: Schemas): JsonSchema {
  const own = aroundBody(properties);
  const { description, defaultSnippets, ...request } = requestSchema(properties);
  const items: JsonSchema = {
    type: 'object',
    description,
    defaultSnippets,
    if: isJsonRpcBody,
    then: rawBodySchema(own),
    else: { if: isTaskBody, then: taskBodySchema(own), else: request },
  };
  return {
    properties: { ...ofFile, ...ordered({ requests: { type: 'array', description: requestsDescription, items } }) },
    additionalProperties: false,
  };
}

/** Keys of a request that may be beside a raw body and are not part of it. */
function aroundBody(properties: Schemas): Schemas {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => isRemovedKey(key, { alone: false })));
}

/** Raw bodies may have an unusual envelope on purpose, so an unknown member is a warning. */
function rawBodySchema(own: Schemas): JsonSchema {
  return {
    extensible: true,
    properties: {
      ...own,
      jsonrpc: { const: '2.0', description: 'Version of JSON-RPC. A body with this member is sent as it is written.' },
      id: jsonSchemaOf(z.union([z.string(), z.int(), z.null()]).meta({ description: 'Id of the request; the answer repeats it.' })),
      method: { type: 'string', description: "Method, as the agent's protocol version names it." },
      params: { description: "Parameters, in the shape of the agent's protocol version." },
    },
    additionalProperties: false,
    required: ['method'],
  };
}

/** A body of the task API, as a schema. */
const isTaskBody: JsonSchema = { required: ['taskId', 'data'] };

function taskBodySchema(own: Schemas): JsonSchema {
  return {
    properties: {
      ...own,
      taskId: {
        type: 'string',
        description: 'Name of the task, which the client gives. A body with this member and data is sent as it is written.',
      },
      type: { type: 'string', description: 'Type of the task, as the agent knows it.' },
      data: { description: 'What the task is about: the agent card says under schema.input what the agent takes.' },
    },
  };
}

/** A file with neither `requests` nor `jsonrpc`: one request, with the keys that lead to the other two forms. */
function singleRequest(properties: Schemas, ofFile: Schemas): JsonSchema {
  const { defaultSnippets: _, ...request } = requestSchema(properties);
  return {
    ...request,
    properties: {
      ...ofFile,
      ...properties,
      ...ordered({
        requests: { description: requestsDescription, defaultSnippets: [{ body: [{ name: '${1:ask}', message: '${2:Hello}' }] }] },
      }),
    },
  };
}

/** A raw JSON-RPC body that `isRawBody` accepts anywhere, as a schema. */
const isJsonRpcBody: JsonSchema = { anyOf: [{ required: ['jsonrpc'] }, { required: ['method', 'id'] }] };

/** A raw body that `isRawBody` accepts as a whole file, as a schema. */
const isRawBody: JsonSchema = {
  anyOf: [
    isJsonRpcBody,
    {
      required: ['method', 'params'],
      properties: {
        params: {
          required: ['message'],
          properties: {
            message: { anyOf: [{ required: ['kind'] }, { required: ['role'], properties: { role: named(['user', 'agent']) } }] },
          },
        },
      },
    },
  ],
};

/** The schema of `.a2a` files. */
export function requestFileSchema(): JsonSchema {
  // Made once, and here: `a2a run` waits for it at its start, and no other command needs it.
  const shared = sharedSchemas();
  const [properties, ofFile] = [requestProperties(shared), fileProperties()];
  const alone = { ...ofFile, ...aroundBody(properties) };
  return {
    $schema: draft07,
    title: 'A2A request file',
    description: 'Requests to A2A agents.',
    allowComments: true,
    allowTrailingCommas: true,
    definitions: definitions(shared),
    type: 'object',
    if: { required: ['requests'] },
    then: severalRequests(properties, ofFile),
    else: {
      if: isRawBody,
      then: rawBodySchema(alone),
      else: { if: isTaskBody, then: taskBodySchema(alone), else: singleRequest(properties, ofFile) },
    },
  };
}
