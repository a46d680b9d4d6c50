import * as z from 'zod';
import { Message } from './message.ts';
import { Part } from './part.ts';
import { TaskState } from './taskState.ts';

/** An output of a task (A2A 1.0 §4.1.7). A refined output keeps its `name` and gets a new `artifactId`. */
export const Artifact = z.object({
  artifactId: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(Part),
  metadata: z.record(z.string(), z.unknown()).optional(),
  extensions: z.array(z.string()).optional(),
});
export type Artifact = z.infer<typeof Artifact>;

/** A task's state with the agent's message about it (A2A 1.0 §4.1.2). `timestamp` is ISO 8601. */
export const TaskStatus = z.object({
  state: TaskState,
  message: Message.optional(),
  timestamp: z.string().optional(),
});
export type TaskStatus = z.infer<typeof TaskStatus>;

/** A unit of work with a life cycle (A2A 1.0 §4.1.1). */
export const Task = z.object({
  id: z.string(),
  contextId: z.string().optional(),
  status: TaskStatus,
  artifacts: z.array(Artifact).optional(),
  history: z.array(Message).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type Task = z.infer<typeof Task>;
