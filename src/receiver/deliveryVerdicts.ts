import type { IncomingHttpHeaders } from 'node:http';
import { sentence } from '../protocol/problem.ts';
import type { ReceiverLimits } from './receiverLimits.ts';
import { sameText } from './sameText.ts';
import { jwtVerdicts, type JwtVerdicts, type Signed } from './signedDelivery.ts';
import { absent, failed, passed, type Verdict } from './verdict.ts';
import type { Webhook } from './webhook.ts';

/** Headers in which agents send a configuration's token: those of SDKs and of the texts. */
const tokenHeaders = ['x-a2a-notification-token', 'a2a-notification-token'];

function tokenVerdicts(headers: IncomingHttpHeaders, token: string | undefined): Verdict[] {
  if (token === undefined) return [];
  const told = tokenHeaders.map(name => headers[name]).find(value => value !== undefined);
  if (told === undefined) return [absent('token', sentence('The header with the token is missing.'))];
  return [
    sameText([told].flat().join(), token)
      ? passed('token', sentence('The token matches the configuration.'))
      : failed('token', sentence('The token does not match the configuration.')),
  ];
}

/** The scheme in any case, the credentials exactly (RFC 9110 §11.1). */
function authorizationVerdicts({ authorization }: IncomingHttpHeaders, expected: Webhook['authentication']): Verdict[] {
  if (expected?.credentials === undefined) return [];
  if (authorization === undefined)
    return [absent('authorization', sentence('The Authorization header is missing, though the configuration requires it.'))];
  const [scheme = '', ...rest] = authorization.trim().split(/ +/);
  return [
    scheme.toLowerCase() === expected.scheme.toLowerCase() && sameText(rest.join(' '), expected.credentials)
      ? passed('authorization', sentence('Authorization matches the configuration.'))
      : failed('authorization', sentence('Authorization does not match the configuration.')),
  ];
}

function taskVerdicts({ taskIds }: Webhook, taskId: string | undefined): Verdict[] {
  if (taskIds.size === 0) return [];
  return [
    taskId !== undefined && taskIds.has(taskId)
      ? passed('task', sentence("It is about the configuration's task."))
      : failed('task', sentence("It is not about the configuration's task.")),
  ];
}

/**
 * Everything that is checked about a delivery whose path is right (A2A 1.0 §4.3.3, §13.2).
 *
 * To add a check: here, or in `requestGuard.ts` where it needs no body; its forgeries in `forgedDeliveries.test.ts`.
 */
export async function deliveryVerdicts(
  headers: IncomingHttpHeaders,
  webhook: Webhook,
  signed: Omit<Signed, 'jwt'>,
  limits: ReceiverLimits,
): Promise<JwtVerdicts> {
  const { token, authentication, jwt } = webhook;
  const own = [...tokenVerdicts(headers, token), ...taskVerdicts(webhook, signed.taskId)];
  if (jwt === undefined) return { verdicts: [...own, ...authorizationVerdicts(headers, authentication)] };
  const bearer = /^bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
  if (bearer === undefined) return { verdicts: [...own, failed('signature', sentence('Authorization contains no JWT.'))] };
  const { verdicts, id } = await jwtVerdicts({ ...signed, jwt: bearer }, jwt, limits);
  return { verdicts: [...own, ...verdicts], ...(id !== undefined && { id }) };
}
