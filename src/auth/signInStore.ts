/** Store of all sign-ins, as one JSON text with secrets: SecretStorage in VS Code, a file that only its owner can read in the terminal. */
export interface SignInStore {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  /**
   * Runs `work` while no other window or process runs one about the same. Without `about` that is what is kept, around reading, comparing and
   * writing alone: nothing is asked over the network meanwhile. With it, one renewal, so that a refresh token is used once; the work may then
   * change what is kept, and never the other way round. Rejects with a `Problem` `sign-in-busy` after 30 seconds in which another process
   * works.
   */
  exclusively<T>(work: () => Promise<T>, about?: string): Promise<T>;
  /** Calls `listener` whenever another window has written. Returns what ends that. */
  onDidChange(listener: () => void): () => void;
}
