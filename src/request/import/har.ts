import { isObject } from '../../protocol/json.ts';
import { Problem, sentence, unlessProblem } from '../../protocol/problem.ts';
import { importCall, remarksOn } from './curl.ts';
import type { Imported } from './jsonRpc.ts';
import type { RequestJson } from './requestJson.ts';

/** Most requests that are taken of an archive. */
const maxRequests = 1_000;

/** The entries of an HTTP Archive (HAR 1.2); undefined for other JSON. */
export const harEntries = (json: unknown): readonly unknown[] | undefined =>
  isObject(json) && isObject(json['log']) && Array.isArray(json['log']['entries']) ? json['log']['entries'] : undefined;

/**
 * The calls of agents among the entries of an HTTP Archive, in their order; what else a browser asked for is left out.
 * @throws Problem `no-json-rpc` where none is a call of an agent, `too-many-requests`
 */
export function importHar(entries: readonly unknown[]): { readonly requests: readonly RequestJson[] } & Pick<Imported, 'remarks'> {
  const calls = entries.flatMap(entry => callIn(entry) ?? []);
  const requests = calls.map(({ request }) => request);
  if (requests.length === 0)
    throw new Problem('no-json-rpc', sentence('None of the {0} requests of this archive calls an agent.', entries.length), {
      nextStep: sentence('Export the archive with the bodies of its requests.'),
    });
  if (requests.length > maxRequests)
    throw new Problem(
      'too-many-requests',
      sentence('This archive has {0} calls of agents; at most {1} are imported.', requests.length, maxRequests),
      {
        nextStep: sentence('Export fewer of them.'),
      },
    );
  return { requests, remarks: remarksOn(calls.flatMap(({ told }) => told)) };
}

function callIn(entry: unknown): ReturnType<typeof importCall> | undefined {
  const { request } = isObject(entry) ? entry : {};
  if (!isObject(request)) return undefined;
  const { url, method, postData, headers } = request;
  if (typeof url !== 'string' || !URL.canParse(url) || typeof method !== 'string') return undefined;
  const body = isObject(postData) && typeof postData['text'] === 'string' ? postData['text'] : '';
  const lines = (Array.isArray(headers) ? headers : []).map(header =>
    isObject(header) ? `${String(header['name'])}: ${String(header['value'])}` : '',
  );
  return unlessProblem(() => importCall({ url, method, headers: lines, body }));
}
