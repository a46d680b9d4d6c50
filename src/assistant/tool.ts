import * as z from 'zod';
import { sentence } from '../protocol/problem.ts';
import { refusal } from './refusal.ts';
import { type Section } from './result.ts';
import type { World } from './world.ts';

/** A tool for language models. */
export interface Tool {
  readonly name: string;
  /** For models: what it does, and when to use it or another. */
  readonly description: string;
  /** Set where it does more than read: when the person is asked, in a front that can ask. */
  readonly asks?: string;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodType;
  /** Reads an input as it came, and does the work. Rejects with a `Problem`. */
  call(given: unknown, world: World, signal: AbortSignal): Promise<readonly Section[]>;
}

/** Hints for clients, as the Model Context Protocol names them. */
interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  /** It may change or end something that is there. */
  readonly destructiveHint?: boolean;
  /** It reaches agents. */
  readonly openWorldHint: boolean;
}

interface Definition<Input> extends Omit<Tool, 'input' | 'call'> {
  readonly input: z.ZodType<Input>;
  /** Asks for consent before it reads or acts. Rejects with a `Problem`. */
  readonly work: (input: Input, world: World, signal: AbortSignal) => Promise<readonly Section[]>;
}

/**
 * A tool whose input is validated, since VS Code does not hold models to a schema. To add one: a file with it, a row in `tools.ts`, its titles in
 * `package.nls.json`, and `A2A_WRITE=1 npm test -- unit --grep "manifest of tools"`.
 */
export function defineTool<Input>({ work, ...about }: Definition<Input>): Tool {
  return {
    ...about,
    async call(given, world, signal) {
      return work(validInput(about.name, about.input, given), world, signal);
    },
  };
}

/** The input of a call as its schema has it. Throws a `Problem`. */
export function validInput<Input>(name: string, schema: z.ZodType<Input>, given: unknown): Input {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refusal(
    sentence('The input of {0} is not right: {1}', name, z.prettifyError(parsed.error)),
    sentence('Correct it and call the tool again.'),
  );
}
