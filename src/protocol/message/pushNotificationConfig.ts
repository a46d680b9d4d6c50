import * as z from 'zod';

/** How the agent signs in at the webhook (A2A 1.0 §4.3.2). */
const AuthenticationInfo = z
  .object({
    scheme: z.string().meta({ description: 'Scheme of the `Authorization` header, such as Bearer.' }),
    credentials: z.string().meta({ description: 'What follows the scheme in the header.' }).optional(),
  })
  .meta({ description: 'What the agent sends in the `Authorization` header of each notification.' });

/** Address and credentials for an agent's notifications about a task (A2A 1.0 §4.3.1). The agent assigns the `id` where there is none. */
export const TaskPushNotificationConfig = z.object({
  tenant: z.string().meta({ description: 'Tenant, as the chosen interface of the card states it.' }).optional(),
  id: z.string().meta({ description: 'Id of the configuration; the agent gives one where it is left out.' }).optional(),
  taskId: z.string().meta({ description: 'Id of the task.' }),
  url: z.string().meta({ description: 'Where the agent sends notifications.' }),
  token: z.string().meta({ description: 'Sent with each notification, so that the receiver knows it is meant.' }).optional(),
  authentication: AuthenticationInfo.optional(),
});
export type TaskPushNotificationConfig = z.infer<typeof TaskPushNotificationConfig>;

/** The same in the configuration of a message, whose task may not exist yet (A2A 1.0 §3.2.2). */
export const PushNotificationConfig = TaskPushNotificationConfig.partial({ taskId: true }).meta({
  description: "Where the agent notifies of the task's updates.",
});
export type PushNotificationConfig = z.infer<typeof PushNotificationConfig>;

/** One page of configurations (A2A 1.0 §3.1.9). `nextPageToken` is `""` on the last page. What an agent leaves out is not there. */
export interface ListTaskPushNotificationConfigsResponse {
  readonly configs: readonly TaskPushNotificationConfig[];
  readonly nextPageToken?: string;
}
