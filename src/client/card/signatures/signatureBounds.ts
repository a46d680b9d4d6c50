/** Bounds of what is checked and fetched for signatures: cards and key sets are written by strangers. */
export const signatureBounds = {
  /** Most signatures of one card that are checked. */
  signatures: 10,
  /** Longest card that is checked, in UTF-16 code units. */
  cardLength: 1024 * 1024,
  /** Longest protected header and longest signature, in characters of base64url: those of RSA with 16,384 bits have 2,731. */
  headerLength: 16 * 1024,
  signatureLength: 4 * 1024,
  /** Most signers in the setting, and most keys of one of them. */
  signers: 100,
  keys: 100,
  /** Longest text with keys, in bytes: a file, or the answer of a server. */
  keyTextBytes: 256 * 1024,
  /** Longest modulus of an RSA key, in characters of base64url: 8,192 bits. */
  modulusLength: 1366,
  /** Longest address of keys, and longest id of a key, in characters. */
  addressLength: 2_000,
  keyIdLength: 1_000,
  /** Most signatures that are computed for one card. */
  verifications: 1_000,
  /** Most places that are named as not covered by a signature. */
  uncovered: 20,
} as const;
