import { isObject } from '../../../protocol/json.ts';
import { isDefault, stepInto, type Dropped } from './defaults.ts';
import { lfA2aV1 } from '../../grpc/bundle/lfA2aV1.ts';

/** Fields that A2A 1.0 marks as REQUIRED, of the messages in an agent card. */
const required: Readonly<Record<string, readonly string[]>> = {
  AgentCard: ['name', 'description', 'supportedInterfaces', 'version', 'capabilities', 'defaultInputModes', 'defaultOutputModes', 'skills'],
  AgentInterface: ['url', 'protocolBinding', 'protocolVersion'],
  AgentProvider: ['url', 'organization'],
  AgentSkill: ['id', 'name', 'description', 'tags'],
  APIKeySecurityScheme: ['location', 'name'],
  HTTPAuthSecurityScheme: ['scheme'],
  OAuth2SecurityScheme: ['flows'],
  OpenIdConnectSecurityScheme: ['openIdConnectUrl'],
  AuthorizationCodeOAuthFlow: ['authorizationUrl', 'tokenUrl', 'scopes'],
  ClientCredentialsOAuthFlow: ['tokenUrl', 'scopes'],
  ImplicitOAuthFlow: ['authorizationUrl', 'scopes'],
  PasswordOAuthFlow: ['tokenUrl', 'scopes'],
  DeviceCodeOAuthFlow: ['deviceAuthorizationUrl', 'tokenUrl', 'scopes'],
};

/** A field of an agent card in ProtoJSON (A2A 1.0 §4.4, §5.7). */
interface CardField {
  /** `bool`, `string`, `Struct`, or the name of a message. */
  readonly type: string;
  readonly shape: 'one' | 'list' | 'map';
  readonly required: boolean;
  /** True where presence has a meaning even with the default value: `optional` fields, and members of a oneof. */
  readonly explicit: boolean;
  /** One of several members of which only one can be set. */
  readonly oneof: boolean;
}

/** A field of a message by its ProtoJSON name; undefined for one that A2A 1.0 does not have. */
function cardField(message: string, name: string): CardField | undefined {
  const fields = lfA2aV1.messages[message];
  const row = fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (row === undefined) return undefined;
  const [, written, oneof] = row;
  const [, type = written, suffix = ''] = /^(\w+)(\[\]| map|\?)?$/.exec(written) ?? [];
  return {
    type,
    shape: suffix === '[]' ? 'list' : suffix === ' map' ? 'map' : 'one',
    required: required[message]?.includes(name) === true,
    explicit: suffix === '?' || oneof !== undefined,
    oneof: oneof !== undefined,
  };
}

/** True for the name of a message whose fields are known. */
const isMessage = (type: string): boolean => Object.hasOwn(lfA2aV1.messages, type);

/** Rule of a form for the members of a message. */
interface Presence {
  /** True for a member that stays. */
  readonly stays: (field: CardField | undefined, value: unknown) => boolean;
}

/** A2A 1.0 §8.4.1: REQUIRED fields stay, and so do those whose presence has a meaning; others stay unless they hold their default. */
const specified: Presence = {
  // Members outside the specification stay.
  stays: (field, value) => field === undefined || (value !== null && (field.required || field.explicit || !isDefault(value))),
};

/** ProtoJSON as the SDKs write it: members of the schema only, without defaults whose presence has no meaning. */
const serialized: Presence = {
  stays: (field, value) => field !== undefined && value !== null && (field.explicit || !isDefault(value)),
};

/**
 * The same from an object of the JavaScript SDK (1.0 to 1.3), which it reads once more as if it were JSON: members of a oneof have another
 * shape there and are lost, which are all security schemes and OAuth flows.
 */
const serializedTwice: Presence = { stays: (field, value) => field?.oneof !== true && serialized.stays(field, value) };

/** The card by the presence rules of A2A 1.0 §8.4.1, as it was received: nothing is added. */
export const withPresence = (card: unknown, dropped?: Dropped): unknown => written(card, 'AgentCard', specified, dropped ?? ignore, '');

/** The card as an SDK writes it after it has read it. */
export const asSerialized = (card: unknown, dropped?: Dropped): unknown => written(card, 'AgentCard', serialized, dropped ?? ignore, '');

/** The card as the JavaScript SDK writes an object of its own. */
export const asSerializedTwice = (card: unknown, dropped?: Dropped): unknown =>
  written(card, 'AgentCard', serializedTwice, dropped ?? ignore, '');

const ignore: Dropped = () => {};

function written(value: unknown, message: string, presence: Presence, dropped: Dropped, pointer: string): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const field = cardField(message, name);
      const place = stepInto(pointer, name);
      if (presence.stays(field, member)) return [[name, field === undefined ? member : ofField(member, field, presence, dropped, place)]];
      // An empty list, map or struct is the same as none; an empty message is not, and a member that is not in the schema may not be.
      const isNothing = member === null || (field !== undefined && isDefault(member) && !(isMessage(field.type) && field.shape === 'one'));
      if (!isNothing) dropped(place);
      return [];
    }),
  );
}

function ofField(value: unknown, { type, shape }: CardField, presence: Presence, dropped: Dropped, pointer: string): unknown {
  if (!isMessage(type)) return value;
  if (shape === 'list' && Array.isArray(value))
    return value.map((item: unknown, index) => written(item, type, presence, dropped, stepInto(pointer, index)));
  if (shape === 'map' && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, written(item, type, presence, dropped, stepInto(pointer, name))]),
    );
  return written(value, type, presence, dropped, pointer);
}
