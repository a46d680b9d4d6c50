import Dispatcher from 'undici/lib/dispatcher/agent.js';
import undici from 'undici/lib/api/index.js';

// The least a client can do: POSTs by undici, so many at a time, their answers parsed. A process of its own, as `a2a run` is one: neither
// side has been warmed up by earlier rounds.

const [url = '', operation = '', count = '', parallel = ''] = process.argv.slice(2);
const dispatcher = new Dispatcher({ connections: Number(parallel) });
const { origin, pathname: path } = new URL(url);
const left = Array.from({ length: Number(count) }, (_, id) => id).values();

const worker = async (): Promise<void> => {
  for (const id of left) {
    const message = { messageId: `m${id}`, role: 'ROLE_USER', parts: [{ text: `Boat ${id}` }] };
    const { body } = await undici.request.call(dispatcher, {
      origin,
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: operation, params: { message } }),
    });
    const text = await body.text();
    JSON.parse(operation === 'SendMessage' ? text : text.slice(text.indexOf('{')));
  }
};
await Promise.all(Array.from({ length: Number(parallel) }, worker));
await dispatcher.close();
