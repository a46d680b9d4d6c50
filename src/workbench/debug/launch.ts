import { resolve } from 'node:path';
import * as z from 'zod';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Program } from './agentProcess.ts';

/** The type of our launch configurations in `launch.json`. */
export const debugType = 'a2a';

/** Most agents of one configuration. */
const maxAgents = 20;

const Port = z.int().min(1).max(65_535);
const AgentEntry = z.object({
  command: z.string().trim().min(1).optional(),
  cwd: z.string().min(1).optional(),
  env: z.record(z.string(), z.union([z.string(), z.null()])).optional(),
  configuration: z.string().min(1).optional(),
  url: z.string().trim().min(1).optional(),
  // A variable such as `${env:PORT}` leaves text.
  port: z.union([Port, z.string().regex(/^\d+$/).transform(Number).pipe(Port)]).optional(),
});
const Configuration = AgentEntry.extend({ open: z.boolean().optional(), agents: z.array(AgentEntry).min(1).max(maxAgents).optional() });

/** One agent that a launch configuration starts. */
export interface AgentLaunch {
  readonly url: string;
  /** The program, or the name of another launch configuration that runs it. */
  readonly start: Program | { readonly configuration: string; readonly attaches: boolean };
}

export interface Launch {
  readonly agents: readonly AgentLaunch[];
  /** A chat opens with each agent. */
  readonly open: boolean;
}

/** A launch configuration that another may name. */
export interface OtherConfiguration {
  readonly name: string;
  readonly type: string;
  readonly request: string;
}

/**
 * Reads a launch configuration whose variables are filled in.
 * @param folder where commands run that say nothing else
 * @throws Problem `bad-launch`
 */
export function launchOf(configuration: object, others: readonly OtherConfiguration[], folder: string | undefined): Launch {
  const parsed = Configuration.safeParse(configuration);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw bad(sentence('"{0}" is not as it has to be: {1}', issue?.path.join('.') ?? '', issue?.message ?? ''));
  }
  const { agents, open = true, ...single } = parsed.data;
  if (agents !== undefined && Object.keys(single).length > 0)
    throw bad(sentence('"{0}" stands beside "agents". Move it into the agent that it is about.', Object.keys(single)[0]!));
  const launches = (agents ?? [single]).map(entry => agentOf(entry, others, folder));
  const twice = launches.find(({ url }, index) => launches.findIndex(other => other.url === url) !== index);
  if (twice !== undefined) throw bad(sentence('Two agents have the address {0}.', twice.url));
  return { agents: launches, open };
}

function agentOf(entry: z.infer<typeof AgentEntry>, others: readonly OtherConfiguration[], folder: string | undefined): AgentLaunch {
  const { command, configuration, cwd = '.', env = {}, url: written, port } = entry;
  if ((command === undefined) === (configuration === undefined))
    throw bad(
      command === undefined
        ? sentence('Neither "command" nor "configuration" says what starts the agent.')
        : sentence('"command" and "configuration" both say what starts the agent. Remove one of them.'),
    );
  if ((written === undefined) === (port === undefined))
    throw bad(
      port === undefined
        ? sentence('Neither "port" nor "url" says where the agent listens.')
        : sentence('"port" and "url" both say where the agent listens. Remove one of them.'),
    );
  const url = written ?? `http://localhost:${port}`;
  if (configuration === undefined) return { url, start: { command: command!, cwd: resolve(folder ?? '.', cwd), env } };
  const other = others.find(({ name }) => name === configuration);
  if (other === undefined) {
    const like = closestMatch(
      configuration,
      others.map(({ name }) => name),
    );
    throw bad(
      like === undefined
        ? sentence('There is no launch configuration "{0}".', configuration)
        : sentence('There is no launch configuration "{0}". Did you mean "{1}"?', configuration, like),
    );
  }
  if (other.type === debugType)
    throw bad(sentence('"{0}" is a configuration of the type a2a itself. Name one that runs the program.', configuration));
  return { url, start: { configuration, attaches: other.request === 'attach' } };
}

const bad = (what: LocalizedMessage): Problem => new Problem('bad-launch', what);
