import * as z from 'zod';

const text = (description: string): z.ZodOptional<z.ZodString> => z.string().min(1).max(10_000).meta({ description }).optional();

/** What is sent to an agent to make it work while it is checked, by what it shall do. */
export const CheckPrompts = z.object({
  task: text('What to send to get a task.'),
  'long-task': text('What to send to get a task that takes a while.'),
  'input-required': text('What to send to get a task that asks for input.'),
  'auth-required': text('What to send to get a task that asks for authorization.'),
});
export type CheckPrompts = z.infer<typeof CheckPrompts>;
