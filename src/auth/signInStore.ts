/** Where sign-ins are kept: SecretStorage in VS Code, a file that only its owner can read in the terminal. Values are JSON texts with secrets. */
export interface SignInStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
  /**
   * Runs `work` while no other window or process runs one with the same key, so that a refresh token is used once. Rejects with a `Problem`
   * `sign-in-busy` after 30 seconds.
   */
  exclusively<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Calls `listener` whenever a value has changed, also by another window. Returns what ends that. */
  onDidChange(listener: () => void): () => void;
}
