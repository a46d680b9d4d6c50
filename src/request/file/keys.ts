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
  description: 'The agent: its name in the setting `a2a.agents`, or the URL of the agent or of its card. A request can override the file.',
});

const wanted = z
  .union([
    z
      .string()
      .refine(text => parseInterfaceSelector(text) !== undefined, {
        error: sentence('it must be a binding, a version or both, such as "HTTP+JSON 1.0"').template,
      })
      .meta({
        description: 'A binding, a version, an address, or several of them in any order.',
        examples: ['JSONRPC', 'HTTP+JSON', 'GRPC', '1.0', '0.3', 'JSONRPC 0.3', 'HTTP+JSON 1.0', 'GRPC 1.0'],
      }),
    InterfaceSelector.strict(),
  ])
  .meta({
    description:
      'The interface of the agent to use, instead of the one that its settings or its card prefer: a binding, a protocol version, an address or several of them, such as `HTTP+JSON`, `GRPC 1.0` or `JSONRPC 1.0 https://agent.example/rpc`, or an object. With all three, the agent needs no card.',
  });

/** Longest timeout: one day. */
const maxMs = 24 * 60 * 60_000;

const timeoutMs = z.int().min(1).max(maxMs).meta({
  description:
    'Time limit in milliseconds, from connecting until the task ends or waits for input; after that the request fails and its task is canceled. Default: 60 seconds to a first sign of life, then no limit while the agent can be reached. A request can override the file.',
});

/** A token of HTTP (RFC 9110 §5.6.2). */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

const headers = z.record(z.string().regex(headerName), z.string()).meta({
  description:
    "HTTP headers to add to those of the agent's settings; headers with the same name are replaced. Their values are masked wherever the request is shown. The card is fetched without them. A request's headers are added to those of the file.",
});

const auth = z.string().min(1).max(60).meta({
  description:
    "The identity to use: its name at the agent (see *A2A: Sign In…*, in a terminal `a2a auth login URL --identity NAME`), or `none`. Default: the one in the agent's settings, otherwise the one used last. A request can override the file.",
});

/**
 * Keys of a request.
 *
 * To add one: a row here (`controlKeys.ts` for when and how often requests are sent), then `A2A_WRITE=1 npm test -- unit --grep manual`.
 * Schema, completion, hover and reference follow.
 */
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
      'Name of the request whose conversation this one continues: in the same context, and in the same task while that one waits for input. If the task is finished, a new task that refers to it is started. That request is sent first if it has not been. If it is sent several times, `name[1]` continues one of these, counted from 0; the name alone waits for all of them and begins a conversation of its own.',
  }),
  method: z.string().meta({
    description:
      'The operation. Default: send the message, streaming if the agent supports it. Names of earlier protocol versions are understood.',
  }),
  message: MessageContent.meta({ description: 'What to say to the agent: text, or an array of parts.' }),
  params: z.record(z.string(), z.unknown()).meta({
    description:
      'Parameters of the operation in the form of A2A 1.0, instead of `message`. To send a message, you can leave out its `messageId` and `role`.',
  }),
  configuration: SendMessageConfiguration.meta({
    description: 'How the agent should answer a message, such as `{ "returnImmediately": true }`. The same as in `params`.',
  }),
  metadata: z.record(z.string(), z.unknown()).meta({
    description:
      "Extra data about the request: of a message, or of CancelTask. The same as in `params`; put the message's own metadata in `params.message`.",
  }),
  tenant: z.string().meta({ description: 'Tenant, as the chosen interface of the card states it. The same as in `params`.' }),
  extensions: z.array(z.string().min(1)).meta({
    description:
      "URIs of extensions to request, in addition to those of the agent's settings, in the header of the protocol version; a message lists them as its own.",
  }),
  capture: z.record(z.string().regex(/^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u), z.string().min(1)).meta({
    description:
      'Values of the result by name, each with its path, such as `"id": "task.id"`. Later requests can use them as `{{id}}`, and are sent after this one.',
  }),
  each: z.union([z.array(z.record(z.string(), z.unknown())).min(1), z.string().min(1)]).meta({
    description:
      'Sends the request once for each row: an array of objects, or `"{{$file rows.csv}}"` with JSON, or CSV whose first line names the columns. The values of a row are variables that override all others.',
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
  repeat: z.int().min(1).meta({ description: 'Sends the request this many times, one after another.' }),
  timeoutMs,
  confirm: z.union([z.boolean(), z.string()]).meta({
    description: 'Asks before it is sent: `true`, or the question to ask. In a terminal `--yes` answers it.',
  }),
  ...controlKeys,
  expect: Expect.meta({
    description: 'The expected result. A request with this is a test; `{}` expects an answer whose task has not failed.',
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
    description: 'Values for `{{name}}`. If `{{name}}` is the whole string, the value keeps its type.',
  }),
  import: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).meta({
    description:
      'Other request files whose variables, requests and captured values this one uses: a path from the folder of the file, or several, inside the workspace. An imported request is sent only if a request of this file needs it. Names in this file take precedence. Imports are not transitive.',
  }),
  check: CheckPrompts.strict().meta({
    description:
      'Messages that conformance checks send, by purpose: plain texts for `a2a check URL --prompts FILE`. They are not sent with the requests of the file.',
  }),
} as const;

/**
 * Keys of `a2a.defaults.json`.
 *
 * To add one: a row here, `SharedSettings` in `folderDefaults.ts`, and `settingsIn.ts`; one that leads somewhere or carries something needs
 * rows in `test/component/workbench/workspaceTricks/tricks.ts`.
 */
export const defaultsKeys = { $schema: fileKeys.$schema, agent, interface: wanted, headers, auth, timeoutMs } as const;

export const requestsDescription = 'The requests of the file. They are sent one at a time, in order; requests that others need go first.';

export type RequestKey = keyof typeof requestKeys;
type FileKey = keyof typeof fileKeys;

export const isRequestKey = (name: string): name is RequestKey => Object.hasOwn(requestKeys, name);
export const isFileKey = (name: string): name is FileKey => Object.hasOwn(fileKeys, name);
