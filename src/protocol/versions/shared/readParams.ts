import type { Note } from '../../finding.ts';
import { isObject } from '../../json.ts';
import type { Operation, OperationParams, SendMessageParams } from '../../message/operations.ts';
import type { PushNotificationConfig } from '../../message/pushNotificationConfig.ts';
import { requireShallow } from '../../json/nesting.ts';
import { Problem, sentence } from '../../problem.ts';
import { readTaskState } from '../../message/taskState.ts';
import { items, optionalBoolean, optionalObject, optionalString, optionalStrings, withoutUndefined } from './fields.ts';
import { pushNotificationParams, readPushNotificationConfig } from './readPushNotifications.ts';
import { readMessage, type ReadStyle } from './readTask.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the parameters of a request of any version from 0.2 on; no member name means different things in different versions.
 * @throws Problem `invalid-params`, `nested-too-deeply`
 */
export function readParamsWith<O extends Operation>(operation: O, params: unknown, note: Note, style: ReadStyle): OperationParams[O] {
  requireShallow(params);
  return readers[operation](isObject(params) ? params : {}, note, style);
}

function readSend(params: Fields, note: Note, style: ReadStyle): SendMessageParams {
  const { message } = params;
  if (!isObject(message)) throw missing('message');
  if (items(message['parts'] ?? message['content']).length === 0) throw missing('message.parts');
  return withoutUndefined({
    tenant: optionalString(params, 'tenant', '', note),
    message: readMessage(message, '/message', note, style),
    configuration: isObject(params['configuration']) ? readConfiguration(params['configuration'], note) : undefined,
    metadata: optionalObject(params, 'metadata'),
  });
}

/** `blocking` of 0.3 is the opposite of `returnImmediately` (A2A 1.0 App. A). */
function readConfiguration(configuration: Fields, note: Note): SendMessageParams['configuration'] {
  const blocking = optionalBoolean(configuration, 'blocking');
  return withoutUndefined({
    acceptedOutputModes: optionalStrings(configuration, 'acceptedOutputModes'),
    historyLength: count(configuration, 'historyLength'),
    taskPushNotificationConfig: readConfig(configuration, note),
    returnImmediately: optionalBoolean(configuration, 'returnImmediately') ?? (blocking === undefined ? undefined : !blocking),
  });
}

/** Push notification configuration of a send, whose member has another name in each version. */
function readConfig(configuration: Fields, note: Note): PushNotificationConfig | undefined {
  for (const name of ['taskPushNotificationConfig', 'pushNotificationConfig', 'pushNotification']) {
    const config = configuration[name];
    if (isObject(config)) return readPushNotificationConfig(config, `/configuration/${name}`, note);
  }
  return undefined;
}

export function readTaskParams(
  params: Fields,
  note: Note,
): { tenant?: string; id: string; metadata?: Record<string, unknown>; historyLength?: number } {
  const id = optionalString(params, 'id', '', note);
  if (id === undefined || id === '') throw missing('id');
  return withoutUndefined({
    tenant: optionalString(params, 'tenant', '', note),
    id,
    historyLength: count(params, 'historyLength'),
    metadata: optionalObject(params, 'metadata'),
  });
}

function readList(params: Fields, note: Note): OperationParams['ListTasks'] {
  const text = (name: string): string | undefined => optionalString(params, name, '', note);
  return withoutUndefined({
    tenant: text('tenant'),
    contextId: text('contextId'),
    status: readTaskState(params['status']),
    pageSize: count(params, 'pageSize'),
    pageToken: text('pageToken'),
    historyLength: count(params, 'historyLength'),
    statusTimestampAfter: text('statusTimestampAfter'),
    includeArtifacts: optionalBoolean(params, 'includeArtifacts'),
  });
}

const readers: { readonly [O in Operation]: (params: Fields, note: Note, style: ReadStyle) => OperationParams[O] } = {
  SendMessage: readSend,
  SendStreamingMessage: readSend,
  GetTask: readTaskParams,
  CancelTask: readTaskParams,
  SubscribeToTask: readTaskParams,
  ListTasks: readList,
  ...pushNotificationParams,
};

/** A whole number; undefined for anything else. */
export function count(from: Fields, name: string): number | undefined {
  const value = from[name];
  return Number.isInteger(value) ? (value as number) : undefined;
}

export function missing(name: string): Problem {
  return new Problem('invalid-params', sentence('The request lacks {0}.', name));
}
