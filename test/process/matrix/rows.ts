import type { BehaviourId } from './behaviours.ts';
import {
  alwaysTask,
  cancelSeenLater,
  laterMessagesForgotten,
  messageAsTask,
  neverAsks,
  noHistory,
  noList,
  outlivesCut,
  subscribeFails,
  wholeResult,
  type Exception,
} from './exceptions.ts';
import type { ServerId, Spoken } from './servers.ts';

/** One generation over one binding, spoken with one server. */
export interface Row extends Spoken {
  readonly server: ServerId;
  /** The card says another generation, which has the same form over this binding. */
  readonly unclaimed?: true;
  /** Messages are objects of data. */
  readonly data?: true;
  /** Cells where something else is so. */
  readonly except?: { readonly [B in BehaviourId]?: Exception };
}

export const rows: readonly Row[] = [
  { generation: '1.0', binding: 'JSONRPC', server: 'sdk1.0' },
  { generation: '1.0-rc', binding: 'JSONRPC', server: 'mock' },
  { generation: '1.0-draft', binding: 'JSONRPC', server: 'mock' },
  { generation: '0.3', binding: 'JSONRPC', server: 'sdk0.3', except: { list: noList } },
  { generation: '0.3', binding: 'JSONRPC', server: 'sdk1.0', except: { list: noList } },
  {
    generation: '0.2',
    binding: 'JSONRPC',
    server: 'sdk0.2',
    except: { cancel: cancelSeenLater, history: laterMessagesForgotten, list: noList },
  },
  { generation: '0.1', binding: 'JSONRPC', server: 'mock', except: { message: messageAsTask, list: noList } },
  { generation: '1.0', binding: 'HTTP+JSON', server: 'sdk1.0' },
  { generation: '1.0-rc', binding: 'HTTP+JSON', server: 'mock' },
  { generation: '0.3', binding: 'HTTP+JSON', server: 'sdk0.3', except: { list: noList, error: subscribeFails } },
  { generation: '0.3', binding: 'HTTP+JSON', server: 'sdk1.0', except: { list: noList } },
  { generation: '0.2', binding: 'HTTP+JSON', server: 'mock' },
  { generation: '1.0', binding: 'GRPC', server: 'sdk1.0' },
  { generation: '0.3', binding: 'GRPC', server: 'sdk0.3', except: { list: noList } },
  { generation: '0.3', binding: 'GRPC', server: 'sdk1.0', except: { list: noList } },
  { generation: '0.2', binding: 'GRPC', server: 'sdk0.3', unclaimed: true, except: { list: noList } },
  {
    generation: 'task-rest',
    binding: 'TASK-REST',
    server: 'mock',
    data: true,
    except: { message: alwaysTask, chunks: wholeResult, input: neverAsks, history: noHistory, list: noList, resubscribe: outlivesCut },
  },
];
