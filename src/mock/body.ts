import { exactJson } from '../protocol/json/exactJson.ts';
import type { IncomingMessage } from 'node:http';
import { requireFewValues } from '../client/http/parseJson.ts';
import { requireShallowJson } from '../protocol/json/nesting.ts';
import { Problem } from '../protocol/problem.ts';
import { boundedBody } from '../receiver/loopbackServer.ts';

/** Longest body of a request. */
export const maxBodyBytes = 32 * 1024 * 1024;

/** The body of a request as text; undefined where it exceeds the size limit, or as JSON has more values than are read in one message. */
export async function bodyOf(message: IncomingMessage): Promise<string | undefined> {
  const body = (await boundedBody(message, maxBodyBytes))?.toString('utf8');
  if (body === undefined) return undefined;
  try {
    requireFewValues(body);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
  return body;
}

/**
 * The JSON of a body.
 * @throws SyntaxError
 * @throws Problem `json-too-deep`
 */
export function jsonOf(body: string): unknown {
  const value = exactJson(body);
  requireShallowJson(value);
  return value;
}
