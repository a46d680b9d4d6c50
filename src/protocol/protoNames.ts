import { isObject } from './json.ts';

/** The members of an object, and what they hold: undefined for what is read no further, such as JSON of an agent's own. */
export interface Names {
  readonly [name: string]: Names | undefined;
}

export const plain = (...names: readonly string[]): Names => Object.fromEntries(names.map(name => [name, undefined]));
/** A map whose keys are the author's own. */
export const anyName = '*';

const part: Names = {
  ...plain('text', 'raw', 'url', 'data', 'mediaType', 'filename', 'metadata'),
  file: plain('fileWithBytes', 'fileWithUri', 'mediaType', 'mimeType', 'name'),
};
const message: Names = {
  ...plain('messageId', 'contextId', 'taskId', 'role', 'referenceTaskIds', 'extensions', 'metadata'),
  parts: part,
  content: part,
};
const status: Names = { ...plain('state', 'timestamp'), message };
const artifact: Names = { ...plain('artifactId', 'name', 'description', 'extensions', 'metadata'), parts: part };
const task: Names = { ...plain('id', 'contextId', 'metadata'), status, artifacts: artifact, history: message };
const statusUpdate: Names = { ...plain('taskId', 'contextId', 'final', 'metadata'), status };
const artifactUpdate: Names = { ...plain('taskId', 'contextId', 'append', 'lastChunk', 'metadata'), artifact };
const bareConfig: Names = { ...plain('tenant', 'id', 'taskId', 'url', 'token'), authentication: plain('scheme', 'credentials') };
const config: Names = { ...bareConfig, ...plain('configId'), pushNotificationConfig: bareConfig };

/**
 * The members of everything that is asked and answered in A2A 1.0, its drafts and the protocol buffers of 0.3. One table serves all of them,
 * wrapped and bare, since no name holds different things in two.
 */
export const protoNames: Names = {
  ...message,
  ...statusUpdate,
  ...artifactUpdate,
  ...task,
  ...config,
  task,
  message,
  statusUpdate,
  taskStatusUpdate: statusUpdate,
  artifactUpdate,
  taskArtifactUpdate: artifactUpdate,
  tasks: task,
  configs: config,
  config,
  configuration: {
    ...plain('acceptedOutputModes', 'historyLength', 'returnImmediately', 'blocking'),
    taskPushNotificationConfig: config,
    pushNotificationConfig: config,
  },
  ...plain('historyLength', 'includeArtifacts', 'statusTimestampAfter', 'pushNotificationConfigId'),
  ...plain('pageSize', 'pageToken', 'nextPageToken', 'totalSize'),
};

/** A name of protocol buffers (`history_length`) as ProtoJSON writes it. */
export const camelCased = (name: string): string => name.replaceAll(/_+([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

/** Told of each member that was renamed. @param pointer of the member as it was written */
type Renamed = (pointer: string, name: string, right: string) => void;

/**
 * An object in which the members of a table have their names in camelCase; the object itself where they have. A parser of ProtoJSON takes the
 * names of protocol buffers as well (A2A 1.0 §5.5). A member that is there under both names stays as it is, and so does whatever is not in
 * the table. Goes no deeper than the table.
 */
export function inCamelCase<T>(value: T, names: Names, renamed: Renamed = () => {}, pointer = ''): T {
  if (!isObject(value)) return value;
  let isChanged = false;
  const members = Object.entries(value).map(([name, held]) => {
    const right = name.includes('_') ? camelCased(name) : name;
    const read = right !== name && Object.hasOwn(names, right) && !Object.hasOwn(value, right) ? right : name;
    if (read !== name) renamed(`${pointer}/${name}`, name, read);
    const inner = Object.hasOwn(names, read) ? names[read] : names[anyName];
    const content = inner === undefined ? held : contentInCamelCase(held, inner, renamed, `${pointer}/${name}`);
    isChanged ||= read !== name || content !== held;
    return [read, content] as const;
  });
  return isChanged ? (Object.fromEntries(members) as T) : value;
}

function contentInCamelCase(held: unknown, names: Names, renamed: Renamed, pointer: string): unknown {
  if (!Array.isArray(held)) return inCamelCase(held, names, renamed, pointer);
  const items = held.map((item: unknown, index) => inCamelCase(item, names, renamed, `${pointer}/${index}`));
  return items.some((item, index) => item !== held[index]) ? items : held;
}
