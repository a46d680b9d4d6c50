import * as z from 'zod';

const text = z.string().nullish();
const texts = z.array(z.string()).nullish();

/** The agent card of A2A 0.1 (§5.5): whatever may be left out may also be null. */
export const AgentCard0_1 = z.object({
  name: z.string(),
  description: text,
  url: z.string(),
  provider: z.object({ organization: z.string(), url: text }).nullish(),
  version: z.string(),
  documentationUrl: text,
  capabilities: z.object({
    streaming: z.boolean().nullish(),
    pushNotifications: z.boolean().nullish(),
    stateTransitionHistory: z.boolean().nullish(),
  }),
  authentication: z.object({ schemes: z.array(z.string()), credentials: text }).nullish(),
  defaultInputModes: texts,
  defaultOutputModes: texts,
  skills: z.array(z.object({
    id: z.string(), name: z.string(), description: text, tags: texts, examples: texts, inputModes: texts, outputModes: texts,
  })),
});
