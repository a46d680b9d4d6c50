import { isObject } from './json.ts';

type Fields = Readonly<Record<string, unknown>>;

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

/** Called for each member that was renamed. @param pointer of the member as it was written */
type Renamed = (pointer: string, name: string, right: string) => void;

/**
 * An object in which the members of a table have their names in camelCase; the object itself where they have. A parser of ProtoJSON takes the
 * names of protocol buffers as well (A2A 1.0 §5.5). A member that is there under both names stays as it is, and so does whatever is not in
 * the table. Goes no deeper than the table.
 */
export function inCamelCase<T>(value: T, names: Names, renamed: Renamed = () => {}): T {
  return isObject(value) && hasProtoNames(value, names) ? (renamedIn(value, names, renamed, '') as T) : value;
}

/** Makes nothing: it looks at every answer, and nearly none has such names. */
function hasProtoNames(value: Fields, names: Names): boolean {
  for (const name in value) {
    if (name.includes('_') && rightName(name, value, names) !== name) return true;
    const held = value[name];
    const inner = typeof held === 'object' && held !== null ? heldBy(name, names) : undefined;
    if (inner === undefined) continue;
    if (Array.isArray(held) ? held.some(item => isObject(item) && hasProtoNames(item, inner)) : hasProtoNames(held as Fields, inner))
      return true;
  }
  return false;
}

function renamedIn(value: Fields, names: Names, renamed: Renamed, pointer: string): Fields {
  const read = (held: unknown, inner: Names, at: string): unknown => (isObject(held) ? renamedIn(held, inner, renamed, at) : held);
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => {
      const at = `${pointer}/${name}`;
      const right = rightName(name, value, names);
      if (right !== name) renamed(at, name, right);
      const inner = heldBy(right, names);
      if (inner === undefined) return [right, held];
      return [right, Array.isArray(held) ? held.map((item, index) => read(item, inner, `${at}/${index}`)) : read(held, inner, at)];
    }),
  );
}

const heldBy = (name: string, names: Names): Names | undefined => (Object.hasOwn(names, name) ? names[name] : names[anyName]);

function rightName(name: string, value: Fields, names: Names): string {
  const right = camelCased(name);
  return Object.hasOwn(names, right) && !Object.hasOwn(value, right) ? right : name;
}
