import * as z from 'zod';
import { Part } from './part.ts';

const Role = z.enum(['ROLE_USER', 'ROLE_AGENT']).meta({ description: 'Who wrote the message.' });

/** One message from the client or the agent (A2A 1.0 §4.1.4). */
export const Message = z
  .object({
    messageId: z.string().meta({ description: 'Unique id of the message, made by its author.' }),
    role: Role,
    parts: z.array(Part).meta({ description: 'The content, in order.' }),
    contextId: z.string().meta({ description: 'The context this message belongs to.' }).optional(),
    taskId: z.string().meta({ description: 'The task this message belongs to or continues.' }).optional(),
    referenceTaskIds: z.array(z.string()).meta({ description: 'Earlier tasks this message refers to.' }).optional(),
    extensions: z.array(z.string()).meta({ description: 'URIs of the extensions used in this message.' }).optional(),
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Extra data about the message.' }).optional(),
  })
  .meta({ description: 'A message between client and agent.' });
export type Message = z.infer<typeof Message>;
