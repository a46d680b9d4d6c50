import { cardMessages } from './cardMessages.ts';
import type { ServicePackage } from './protoPackage.ts';

/** A2A 1.0 over gRPC (§10). */
export const lfA2aV1: ServicePackage = {
  name: 'lf.a2a.v1',
  service: 'A2AService',
  methods: {
    SendMessage: ['SendMessage', 'SendMessageRequest', 'SendMessageResponse'],
    SendStreamingMessage: ['SendStreamingMessage', 'SendMessageRequest', 'StreamResponse'],
    GetTask: ['GetTask', 'GetTaskRequest', 'Task'],
    ListTasks: ['ListTasks', 'ListTasksRequest', 'ListTasksResponse'],
    CancelTask: ['CancelTask', 'CancelTaskRequest', 'Task'],
    SubscribeToTask: ['SubscribeToTask', 'SubscribeToTaskRequest', 'StreamResponse'],
    AgentCard: ['GetExtendedAgentCard', 'GetExtendedAgentCardRequest', 'AgentCard'],
  },
  enums: {
    Role: ['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'],
    TaskState: [
      'TASK_STATE_UNSPECIFIED', 'TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED', 'TASK_STATE_FAILED',
      'TASK_STATE_CANCELED', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_REJECTED', 'TASK_STATE_AUTH_REQUIRED',
    ],
  },
  messages: {
    ...cardMessages,
    GetExtendedAgentCardRequest: { tenant: [1, 'string'] },
    AgentCard: {
      name: [1, 'string'], description: [2, 'string'], supportedInterfaces: [3, 'AgentInterface[]'], provider: [4, 'AgentProvider'], version: [5, 'string'],
      documentationUrl: [6, 'string?'], capabilities: [7, 'AgentCapabilities'], securitySchemes: [8, 'SecurityScheme map'],
      securityRequirements: [9, 'SecurityRequirement[]'], defaultInputModes: [10, 'string[]'], defaultOutputModes: [11, 'string[]'],
      skills: [12, 'AgentSkill[]'], signatures: [13, 'AgentCardSignature[]'], iconUrl: [14, 'string?'],
    },
    AgentInterface: { url: [1, 'string'], protocolBinding: [2, 'string'], tenant: [3, 'string'], protocolVersion: [4, 'string'] },
    AgentCapabilities: { streaming: [1, 'bool?'], pushNotifications: [2, 'bool?'], extensions: [3, 'AgentExtension[]'], extendedAgentCard: [4, 'bool?'] },
    AgentSkill: {
      id: [1, 'string'], name: [2, 'string'], description: [3, 'string'], tags: [4, 'string[]'], examples: [5, 'string[]'],
      inputModes: [6, 'string[]'], outputModes: [7, 'string[]'], securityRequirements: [8, 'SecurityRequirement[]'],
    },
    SecurityRequirement: { schemes: [1, 'StringList map'] },
    OAuthFlows: {
      authorizationCode: [1, 'AuthorizationCodeOAuthFlow', 'flow'], clientCredentials: [2, 'ClientCredentialsOAuthFlow', 'flow'],
      implicit: [3, 'ImplicitOAuthFlow', 'flow'], password: [4, 'PasswordOAuthFlow', 'flow'], deviceCode: [5, 'DeviceCodeOAuthFlow', 'flow'],
    },
    AuthorizationCodeOAuthFlow: {
      authorizationUrl: [1, 'string'], tokenUrl: [2, 'string'], refreshUrl: [3, 'string'], scopes: [4, 'string map'], pkceRequired: [5, 'bool'],
    },
    DeviceCodeOAuthFlow: { deviceAuthorizationUrl: [1, 'string'], tokenUrl: [2, 'string'], refreshUrl: [3, 'string'], scopes: [4, 'string map'] },

    SendMessageRequest: {
      tenant: [1, 'string'], message: [2, 'Message'], configuration: [3, 'SendMessageConfiguration'], metadata: [4, 'Struct'],
    },
    SendMessageConfiguration: {
      acceptedOutputModes: [1, 'string[]'], taskPushNotificationConfig: [2, 'TaskPushNotificationConfig'], historyLength: [3, 'int32?'],
      returnImmediately: [4, 'bool'],
    },
    TaskPushNotificationConfig: {
      tenant: [1, 'string'], id: [2, 'string'], taskId: [3, 'string'], url: [4, 'string'], token: [5, 'string'],
      authentication: [6, 'AuthenticationInfo'],
    },
    AuthenticationInfo: { scheme: [1, 'string'], credentials: [2, 'string'] },
    GetTaskRequest: { tenant: [1, 'string'], id: [2, 'string'], historyLength: [3, 'int32?'] },
    ListTasksRequest: {
      tenant: [1, 'string'], contextId: [2, 'string'], status: [3, 'TaskState'], pageSize: [4, 'int32?'], pageToken: [5, 'string'],
      historyLength: [6, 'int32?'], statusTimestampAfter: [7, 'Timestamp'], includeArtifacts: [8, 'bool?'],
    },
    CancelTaskRequest: { tenant: [1, 'string'], id: [2, 'string'], metadata: [3, 'Struct'] },
    SubscribeToTaskRequest: { tenant: [1, 'string'], id: [2, 'string'] },

    SendMessageResponse: { task: [1, 'Task', 'payload'], message: [2, 'Message', 'payload'] },
    StreamResponse: {
      task: [1, 'Task', 'payload'], message: [2, 'Message', 'payload'], statusUpdate: [3, 'TaskStatusUpdateEvent', 'payload'],
      artifactUpdate: [4, 'TaskArtifactUpdateEvent', 'payload'],
    },
    ListTasksResponse: { tasks: [1, 'Task[]'], nextPageToken: [2, 'string'], pageSize: [3, 'int32'], totalSize: [4, 'int32'] },

    Task: {
      id: [1, 'string'], contextId: [2, 'string'], status: [3, 'TaskStatus'], artifacts: [4, 'Artifact[]'], history: [5, 'Message[]'],
      metadata: [6, 'Struct'],
    },
    TaskStatus: { state: [1, 'TaskState'], message: [2, 'Message'], timestamp: [3, 'Timestamp'] },
    Message: {
      messageId: [1, 'string'], contextId: [2, 'string'], taskId: [3, 'string'], role: [4, 'Role'], parts: [5, 'Part[]'],
      metadata: [6, 'Struct'], extensions: [7, 'string[]'], referenceTaskIds: [8, 'string[]'],
    },
    Part: {
      text: [1, 'string', 'content'], raw: [2, 'bytes', 'content'], url: [3, 'string', 'content'], data: [4, 'Value', 'content'],
      metadata: [5, 'Struct'], filename: [6, 'string'], mediaType: [7, 'string'],
    },
    Artifact: {
      artifactId: [1, 'string'], name: [2, 'string'], description: [3, 'string'], parts: [4, 'Part[]'], metadata: [5, 'Struct'],
      extensions: [6, 'string[]'],
    },
    TaskStatusUpdateEvent: { taskId: [1, 'string'], contextId: [2, 'string'], status: [3, 'TaskStatus'], metadata: [4, 'Struct'] },
    TaskArtifactUpdateEvent: {
      taskId: [1, 'string'], contextId: [2, 'string'], artifact: [3, 'Artifact'], append: [4, 'bool'], lastChunk: [5, 'bool'],
      metadata: [6, 'Struct'],
    },
  },
};
