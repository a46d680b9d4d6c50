import * as z from 'zod';

const text = z.string().min(1).max(10_000);

/** Messages that make an agent work while it is checked, by the wanted effect. */
export const CheckPrompts = z.object({
  task: text.meta({ description: 'What to send to get a task.' }).optional(),
  'long-task': text.meta({ description: 'What to send to get a task that takes a while.' }).optional(),
  'input-required': text.meta({ description: 'What to send to get a task that asks for input.' }).optional(),
  'auth-required': text.meta({ description: 'What to send to get a task that asks for authorization.' }).optional(),
});
export type CheckPrompts = z.infer<typeof CheckPrompts>;
