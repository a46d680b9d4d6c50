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
export interface CardField {
  /** `bool`, `string`, `Struct`, or the name of a message. */
  readonly type: string;
  readonly shape: 'one' | 'list' | 'map';
  readonly required: boolean;
  /** True where being there says something even with the default value: `optional` fields, and members of a oneof. */
  readonly explicit: boolean;
  /** One of several members of which only one can be set. */
  readonly oneof: boolean;
}

/** A field of a message by its ProtoJSON name; undefined for one that A2A 1.0 does not have. */
export function cardField(message: string, name: string): CardField | undefined {
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
export const isMessage = (type: string): boolean => Object.hasOwn(lfA2aV1.messages, type);
