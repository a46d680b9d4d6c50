import * as z from 'zod';
import { SendMessageConfiguration } from '../../protocol/message/operations.ts';
import { Part, TextPart } from '../../protocol/message/part.ts';
import { sentence } from '../../protocol/problem.ts';
import { Expect } from '../expect/kinds.ts';
import { CheckPrompts } from './checkPrompts.ts';
import { controlKeys } from './controlKeys.ts';
import { parseInterfaceSelector, InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** The message of a request in a file: a text, or parts in core shape, where a string is a text part. */
const LinesPart = z
  .strictObject({
    lines: z.array(z.string()).meta({ description: 'The lines of a text: it is sent as one part of text.' }),
    ...TextPart.omit({ text: true }).shape,
  })
  .meta({ description: 'A part of text of many lines.' });

/** A part as files have it. */
export const WrittenPart = z.union([...Part.options, LinesPart]);

const MessageContent = z.union([z.string(), z.array(z.union([z.string().meta({ description: 'A part of text.' }), WrittenPart])).min(1)]);

const agent = z.string().min(1).meta({
  description:
    'Which agent: its name in the setting `a2a.agents`, or the URL of the agent or of its card. A request may name another one than the file.',
});

const wanted = z
  .union([
    z
      .string()
      .refine(text => parseInterfaceSelector(text) !== undefined, {
        error: sentence('it has to be a binding, a version or both, such as "HTTP+JSON 1.0"').template,
      })
      .meta({
        description: 'A binding, a version, an address, or several of them in any order.',
        examples: ['JSONRPC', 'HTTP+JSON', 'GRPC', '1.0', '0.3', 'JSONRPC 0.3', 'HTTP+JSON 1.0', 'GRPC 1.0'],
      }),
    InterfaceSelector.strict(),
  ])
  .meta({
    description:
      'Which interface of the agent to use, instead of the one its settings or its card prefer: a binding, a protocol version or both, such as `HTTP+JSON`, `0.3` or `GRPC 1.0`, or an object.',
  });

/** Longest timeout: one day. */
const maxMs = 24 * 60 * 60_000;

const timeoutMs = z.int().min(1).max(maxMs).meta({
  description:
    'How long the request may take, in milliseconds, from connecting to the agent until its task is over or waits; what is not done by then has failed and is canceled. Left out, the agent has 60 seconds to give a sign of life, and may then work as long as it can be reached. A request may say otherwise than the file.',
});

/** A token of HTTP (RFC 9110 §5.6.2). */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

const headers = z.record(z.string().regex(headerName), z.string()).meta({
  description:
    "HTTP headers to send with the request, beside those of the agent's settings and instead of those with the same name. Their values are masked wherever the request is shown. The card is fetched without them. A request's headers are added to those of the file.",
});

const auth = z.string().min(1).max(60).meta({
  description:
    "Whose sign-in the request carries: the name of one at the agent (see *A2A: Sign In…*, in a terminal `a2a auth login URL --identity NAME`), or `none`. Left out, that of the agent's settings, or the one used last. A request may say otherwise than the file.",
});

/** Keys of a request. */
export const requestKeys = {
  name: z.string().min(1).meta({
    description: 'Name of the request, unique in the file. `after` and `{{name.task.id}}` refer to it.',
  }),
  agent,
  interface: wanted,
  headers,
  auth,
  after: z.string().min(1).meta({
    description:
      'Name of the request whose conversation this one continues: in the same context, and in the same task while that one waits for input. Once the task is over, a new one that refers to it. It is sent first if it has not been.',
  }),
  method: z.string().meta({
    description:
      'The operation. Left out, the message is streamed where the agent streams. Names of earlier protocol versions are understood.',
  }),
  message: MessageContent.meta({ description: 'What to say to the agent: text, or an array of parts.' }),
  params: z.record(z.string(), z.unknown()).meta({
    description:
      'Parameters of the operation in A2A 1.0 shape, instead of `message`. For a send, `messageId` and `role` of the message may be left out.',
  }),
  configuration: SendMessageConfiguration.meta({
    description: 'How the agent should answer a message, such as `{ "returnImmediately": true }`. The same as in `params`.',
  }),
  metadata: z.record(z.string(), z.unknown()).meta({
    description:
      'Extra data about the request: of a message, or of CancelTask. The same as in `params`; that of the message itself stands in `params.message`.',
  }),
  tenant: z.string().meta({ description: 'Tenant, as the chosen interface of the card states it. The same as in `params`.' }),
  extensions: z.array(z.string().min(1)).meta({
    description:
      "URIs of extensions that the request asks for, beside those of the agent's settings, in the header of the protocol version; a message lists them as its own.",
  }),
  capture: z.record(z.string().regex(/^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u), z.string().min(1)).meta({
    description:
      'Values of the result by name, each with its path, such as `"id": "task.id"`. Later requests have them as `{{id}}`, and are sent after this one.',
  }),
  each: z.union([z.array(z.record(z.string(), z.unknown())).min(1), z.string().min(1)]).meta({
    description:
      'Sends the request once for each row: an array of objects, or `"{{$file rows.csv}}"` with JSON or CSV. The members of a row are variables, and stronger than all others.',
  }),
  matrix: z
    .strictObject({
      agent: z.array(agent).min(1).meta({ description: 'The agents: names or URLs, as under `agent`.' }).optional(),
      interface: z.array(wanted).min(1).meta({ description: 'The interfaces, each as under `interface`.' }).optional(),
    })
    .meta({
      minProperties: 1,
      description:
        'Sends the request to each of several agents, over each of several interfaces, or both: `{ "agent": ["Old", "New"], "interface": ["JSONRPC", "GRPC"] }`. With `each` and `repeat` all combinations are sent, by agent, then by interface, then by row; each is a result of its own.',
    }),
  repeat: z.int().min(1).meta({ description: 'Sends the request so often, one after the other.' }),
  timeoutMs,
  confirm: z.union([z.boolean(), z.string()]).meta({
    description: 'Asks before it is sent: `true`, or the question to ask. In a terminal `--yes` answers it.',
  }),
  ...controlKeys,
  expect: Expect.meta({
    description: 'What must come of it. A request with this is a test, and `{}` expects an answer whose task has not failed.',
  }),
} as const;

/** Keys of the file itself. In a file that is a single request they are beside those of the request. */
export const fileKeys = {
  $schema: z.string().meta({ description: 'Address of a JSON schema. The editor knows the schema of `.a2a` files without it.' }),
  agent,
  interface: wanted,
  headers,
  auth,
  timeoutMs,
  variables: z.record(z.string(), z.unknown()).meta({
    description: 'Values for `{{name}}`. Alone in a string, `{{name}}` keeps the type of its value.',
  }),
  import: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).meta({
    description:
      'Other request files whose variables, requests and captured values this one uses: a path from the folder of the file, or several, inside the workspace. A request of theirs is sent first where one of this file needs it, as in its own file; all others of theirs are not sent. The names of this file are stronger, and what those files import is not passed on.',
  }),
  check: CheckPrompts.strict().meta({
    description:
      'What to send to the agent where its conformance is checked, by what it shall do: plain texts for `a2a check URL --prompts FILE`. Nothing of it is sent with the requests of the file.',
  }),
} as const;

/** Keys of `a2a.defaults.json`. */
export const defaultsKeys = { $schema: fileKeys.$schema, agent, interface: wanted, headers, auth, timeoutMs } as const;

export const requestsDescription = 'The requests of the file. They are sent one by one, each after those it needs.';

export type RequestKey = keyof typeof requestKeys;
export type FileKey = keyof typeof fileKeys;

export const isRequestKey = (name: string): name is RequestKey => Object.hasOwn(requestKeys, name);
export const isFileKey = (name: string): name is FileKey => Object.hasOwn(fileKeys, name);
