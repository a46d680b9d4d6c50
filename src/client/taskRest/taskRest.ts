import type { Transport } from '../transport/transport.ts';
import { isTaskRest, taskRestBinding } from './binding.ts';

let loading: Promise<Transport> | undefined;
const loaded = (): Promise<Transport> => (loading ??= import('./taskRestTransport.ts').then(module => module.taskRestTransport()));

/** The task API of early articles. Few agents have it, so its code is loaded with the first request. */
export const taskRest: Transport = {
  protocolBinding: taskRestBinding,
  aliases: [],
  supports: isTaskRest,
  call: async (...request) => (await loaded()).call(...request),
  async *stream(...request) {
    yield* (await loaded()).stream(...request);
  },
  async *sendRaw(...request) {
    yield* (await loaded()).sendRaw?.(...request) ?? [];
  },
};
