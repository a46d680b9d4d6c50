import { cardMessages } from './cardMessages.ts';
import type { ServicePackage } from './protoPackage.ts';

/** A2A 0.3, and 0.2 from 0.2.2 on, over gRPC (0.3 §3.2.2). A part's `metadata` and a file's `name` were added after 0.3.0. */
export const a2aV1: ServicePackage = {
  name: 'a2a.v1',
  service: 'A2AService',
  methods: {
    SendMessage: ['SendMessage', 'SendMessageRequest', 'SendMessageResponse'],
    SendStreamingMessage: ['SendStreamingMessage', 'SendMessageRequest', 'StreamResponse'],
    GetTask: ['GetTask', 'GetTaskRequest', 'Task'],
    CancelTask: ['CancelTask', 'CancelTaskRequest', 'Task'],
    SubscribeToTask: ['TaskSubscription', 'TaskSubscriptionRequest', 'StreamResponse'],
    AgentCard: ['GetAgentCard', 'GetAgentCardRequest', 'AgentCard'],
  },
  enums: {
    Role: ['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'],
    TaskState: [
      'TASK_STATE_UNSPECIFIED', 'TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED', 'TASK_STATE_FAILED',
      'TASK_STATE_CANCELLED', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_REJECTED', 'TASK_STATE_AUTH_REQUIRED',
    ],
  },
  messages: {
    ...cardMessages,
    GetAgentCardRequest: {},
    AgentCard: {
      name: [1, 'string'], description: [2, 'string'], url: [3, 'string'], provider: [4, 'AgentProvider'], version: [5, 'string'],
      documentationUrl: [6, 'string'], capabilities: [7, 'AgentCapabilities'], securitySchemes: [8, 'SecurityScheme map'], security: [9, 'Security[]'],
      defaultInputModes: [10, 'string[]'], defaultOutputModes: [11, 'string[]'], skills: [12, 'AgentSkill[]'],
      supportsAuthenticatedExtendedCard: [13, 'bool'], preferredTransport: [14, 'string'], additionalInterfaces: [15, 'AgentInterface[]'],
      protocolVersion: [16, 'string'], signatures: [17, 'AgentCardSignature[]'],
    },
    AgentInterface: { url: [1, 'string'], transport: [2, 'string'] },
    AgentCapabilities: { streaming: [1, 'bool'], pushNotifications: [2, 'bool'], extensions: [3, 'AgentExtension[]'] },
    AgentSkill: {
      id: [1, 'string'], name: [2, 'string'], description: [3, 'string'], tags: [4, 'string[]'], examples: [5, 'string[]'],
      inputModes: [6, 'string[]'], outputModes: [7, 'string[]'], security: [8, 'Security[]'],
    },
    Security: { schemes: [1, 'StringList map'] },
    OAuthFlows: {
      authorizationCode: [1, 'AuthorizationCodeOAuthFlow', 'flow'], clientCredentials: [2, 'ClientCredentialsOAuthFlow', 'flow'],
      implicit: [3, 'ImplicitOAuthFlow', 'flow'], password: [4, 'PasswordOAuthFlow', 'flow'],
    },
    AuthorizationCodeOAuthFlow: { authorizationUrl: [1, 'string'], tokenUrl: [2, 'string'], refreshUrl: [3, 'string'], scopes: [4, 'string map'] },

    SendMessageRequest: { message: [1, 'Message'], configuration: [2, 'SendMessageConfiguration'], metadata: [3, 'Struct'] },
    SendMessageConfiguration: {
      acceptedOutputModes: [1, 'string[]'], pushNotification: [2, 'PushNotificationConfig'], historyLength: [3, 'int32'], blocking: [4, 'bool'],
    },
    PushNotificationConfig: { id: [1, 'string'], url: [2, 'string'], token: [3, 'string'], authentication: [4, 'AuthenticationInfo'] },
    AuthenticationInfo: { schemes: [1, 'string[]'], credentials: [2, 'string'] },
    GetTaskRequest: { name: [1, 'string'], historyLength: [2, 'int32'] },
    CancelTaskRequest: { name: [1, 'string'] },
    TaskSubscriptionRequest: { name: [1, 'string'] },

    SendMessageResponse: { task: [1, 'Task', 'payload'], message: [2, 'Message', 'payload'] },
    StreamResponse: {
      task: [1, 'Task', 'payload'], message: [2, 'Message', 'payload'], statusUpdate: [3, 'TaskStatusUpdateEvent', 'payload'],
      artifactUpdate: [4, 'TaskArtifactUpdateEvent', 'payload'],
    },

    Task: {
      id: [1, 'string'], contextId: [2, 'string'], status: [3, 'TaskStatus'], artifacts: [4, 'Artifact[]'], history: [5, 'Message[]'],
      metadata: [6, 'Struct'],
    },
    TaskStatus: { state: [1, 'TaskState'], message: [2, 'Message'], timestamp: [3, 'Timestamp'] },
    Message: {
      messageId: [1, 'string'], contextId: [2, 'string'], taskId: [3, 'string'], role: [4, 'Role'], content: [5, 'Part[]'],
      metadata: [6, 'Struct'], extensions: [7, 'string[]'],
    },
    Part: { text: [1, 'string', 'part'], file: [2, 'FilePart', 'part'], data: [3, 'DataPart', 'part'], metadata: [4, 'Struct'] },
    FilePart: { fileWithUri: [1, 'string', 'file'], fileWithBytes: [2, 'bytes', 'file'], mimeType: [3, 'string'], name: [4, 'string'] },
    DataPart: { data: [1, 'Struct'] },
    Artifact: {
      artifactId: [1, 'string'], name: [3, 'string'], description: [4, 'string'], parts: [5, 'Part[]'], metadata: [6, 'Struct'],
      extensions: [7, 'string[]'],
    },
    TaskStatusUpdateEvent: {
      taskId: [1, 'string'], contextId: [2, 'string'], status: [3, 'TaskStatus'], final: [4, 'bool'], metadata: [5, 'Struct'],
    },
    TaskArtifactUpdateEvent: {
      taskId: [1, 'string'], contextId: [2, 'string'], artifact: [3, 'Artifact'], append: [4, 'bool'], lastChunk: [5, 'bool'],
      metadata: [6, 'Struct'],
    },
  },
};
