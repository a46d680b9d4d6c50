import * as z from 'zod';
import { Message } from '../../protocol/message/message.ts';
import { Task } from '../../protocol/message/task.ts';
import { jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';

/** The schema of what a request's result can hold according to A2A's types: the members that are offered before there is a result. */
export const resultSchema = (): JsonSchema =>
  jsonSchemaOf(
    z.object({ task: Task, message: Message, context: z.object({ id: z.string().meta({ description: 'Id of the context.' }) }) }),
  );
