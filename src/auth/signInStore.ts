/**
 * Where all sign-ins are kept, as one JSON text with secrets: SecretStorage in VS Code, a file that only its owner can read in the terminal.
 */
export interface SignInStore {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  /**
   * Runs `work` while no other window or process runs one, so that a refresh token is used once and no sign-in is lost. Rejects with a
   * `Problem` `sign-in-busy` after 30 seconds.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Calls `listener` whenever another window has written. Returns what ends that. */
  onDidChange(listener: () => void): () => void;
}
