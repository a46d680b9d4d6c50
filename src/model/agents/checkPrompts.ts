import * as z from 'zod';

const text = z.string().min(1).max(10_000).optional();

/** What is sent to an agent to make it work while it is checked, by what it shall do. */
export const CheckPrompts = z.object({ task: text, 'long-task': text, 'input-required': text, 'auth-required': text });
export type CheckPrompts = z.infer<typeof CheckPrompts>;
