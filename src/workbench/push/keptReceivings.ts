import type * as vscode from 'vscode';
import { isObject } from '../../protocol/json.ts';

/** Workspace state: configurations whose notifications this workspace's windows receive or received. No address and no token is in it. */
const key = 'push.receivings';
/** Maximum number remembered; the newest. */
const most = 200;

/** A configuration at an agent. */
export interface KeptReceiving {
  /** Key of the context. */
  readonly context: string;
  readonly taskId: string;
  /** Id of the configuration. */
  readonly id: string;
}

const isKept = (value: unknown): value is KeptReceiving =>
  isObject(value) && [value['context'], value['taskId'], value['id']].every(each => typeof each === 'string');

/**
 * Configurations that were made for a receiver in this workspace: after a reload their receiver is gone, which the agents cannot notice.
 */
export class KeptReceivings {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get all(): readonly KeptReceiving[] {
    const read: unknown = this.#state.get(key);
    return Array.isArray(read) ? read.filter(isKept) : [];
  }

  has(kept: KeptReceiving): boolean {
    return this.all.some(other => isSame(other, kept));
  }

  async add(kept: KeptReceiving): Promise<void> {
    await this.#state.update(key, [...this.all.filter(other => !isSame(other, kept)), kept].slice(-most));
  }

  async remove(kept: KeptReceiving): Promise<void> {
    const left = this.all.filter(other => !isSame(other, kept));
    await this.#state.update(key, left.length === 0 ? undefined : left);
  }
}

const isSame = (one: KeptReceiving, other: KeptReceiving): boolean =>
  one.context === other.context && one.taskId === other.taskId && one.id === other.id;
