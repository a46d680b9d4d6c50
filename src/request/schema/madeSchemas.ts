import * as z from 'zod';
import { Message } from '../../protocol/message/message.ts';
import { Task } from '../../protocol/message/task.ts';
import { Matcher } from '../expect/matcher.ts';
import { jsonSchemaOf, withTemplates, type JsonSchema } from './jsonSchema.ts';

export { requestFileSchema } from './requestFileSchema.ts';
export { defaultsSchema } from './defaultsSchema.ts';

/** The schema of a matcher of `expect`, by which an object is checked that is meant as one. */
export const matcherSchema = (): JsonSchema => withTemplates(jsonSchemaOf(Matcher));

/** The schema of a request's result according to A2A's types: the members that are offered before there is a result. */
export const resultSchema = (): JsonSchema =>
  jsonSchemaOf(
    z.object({ task: Task, message: Message, context: z.object({ id: z.string().meta({ description: 'Id of the context.' }) }) }),
  );
