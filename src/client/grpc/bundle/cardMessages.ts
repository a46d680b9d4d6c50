import type { ProtoPackage } from './protoPackage.ts';

/** Messages of agent cards that are the same in `a2a.v1` and `lf.a2a.v1` (A2A 0.3 §5.5, 1.0 §4.4). */
export const cardMessages: ProtoPackage['messages'] = {
  AgentProvider: { url: [1, 'string'], organization: [2, 'string'] },
  AgentExtension: { uri: [1, 'string'], description: [2, 'string'], required: [3, 'bool'], params: [4, 'Struct'] },
  AgentCardSignature: { protected: [1, 'string'], signature: [2, 'string'], header: [3, 'Struct'] },
  StringList: { list: [1, 'string[]'] },

  SecurityScheme: {
    apiKeySecurityScheme: [1, 'APIKeySecurityScheme', 'scheme'],
    httpAuthSecurityScheme: [2, 'HTTPAuthSecurityScheme', 'scheme'],
    oauth2SecurityScheme: [3, 'OAuth2SecurityScheme', 'scheme'],
    openIdConnectSecurityScheme: [4, 'OpenIdConnectSecurityScheme', 'scheme'],
    mtlsSecurityScheme: [5, 'MutualTlsSecurityScheme', 'scheme'],
  },
  APIKeySecurityScheme: { description: [1, 'string'], location: [2, 'string'], name: [3, 'string'] },
  HTTPAuthSecurityScheme: { description: [1, 'string'], scheme: [2, 'string'], bearerFormat: [3, 'string'] },
  OAuth2SecurityScheme: { description: [1, 'string'], flows: [2, 'OAuthFlows'], oauth2MetadataUrl: [3, 'string'] },
  OpenIdConnectSecurityScheme: { description: [1, 'string'], openIdConnectUrl: [2, 'string'] },
  MutualTlsSecurityScheme: { description: [1, 'string'] },
  ClientCredentialsOAuthFlow: { tokenUrl: [1, 'string'], refreshUrl: [2, 'string'], scopes: [3, 'string map'] },
  ImplicitOAuthFlow: { authorizationUrl: [1, 'string'], refreshUrl: [2, 'string'], scopes: [3, 'string map'] },
  PasswordOAuthFlow: { tokenUrl: [1, 'string'], refreshUrl: [2, 'string'], scopes: [3, 'string map'] },
};
