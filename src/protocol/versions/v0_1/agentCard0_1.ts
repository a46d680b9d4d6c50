import * as z from 'zod';

const text = (description: string) => z.string().nullish().meta({ description });
const texts = (description: string) => z.array(z.string()).nullish().meta({ description });
const flag = (description: string) => z.boolean().nullish().meta({ description });

/** The agent card of A2A 0.1 (§5.5): every optional member may also be null. */
export const AgentCard0_1 = z
  .object({
    name: z.string().meta({ description: 'Name of the agent.' }),
    description: text('What the agent is for.'),
    url: z.string().meta({ description: 'Address of the interface.' }),
    provider: z
      .object({
        organization: z.string().meta({ description: 'Name of the organization.' }),
        url: text('Website of the organization.'),
      })
      .nullish()
      .meta({ description: 'Who runs the agent.' }),
    version: z.string().meta({ description: "The agent's own version." }),
    documentationUrl: text('Documentation for people.'),
    capabilities: z
      .object({
        streaming: flag('Streams answers as server-sent events.'),
        pushNotifications: flag('Can notify a webhook of task updates.'),
        stateTransitionHistory: flag('Keeps the history of state changes.'),
      })
      .meta({ description: 'Optional features of the protocol that the agent offers.' }),
    authentication: z
      .object({
        schemes: z
          .array(z.string())
          .meta({ description: 'Names of authentication schemes, any of which will do.', examples: [['Bearer']] }),
        credentials: text('More about the schemes, in any form. No secrets.'),
      })
      .nullish()
      .meta({ description: 'Ways to authenticate.' }),
    defaultInputModes: texts('Media types the agent takes.'),
    defaultOutputModes: texts('Media types the agent produces.'),
    skills: z
      .array(
        z.object({
          id: z.string().meta({ description: 'Unique id of the skill.' }),
          name: z.string().meta({ description: 'Name for people.' }),
          description: text('What the skill does.'),
          tags: texts('Keywords.'),
          examples: texts('Example prompts.'),
          inputModes: texts("Media types taken, instead of the card's defaults."),
          outputModes: texts("Media types produced, instead of the card's defaults."),
        }),
      )
      .meta({ description: 'What the agent can do.' }),
  })
  .meta({ title: 'A2A agent card 0.1', description: 'What an A2A 0.1 agent says about itself.' });
