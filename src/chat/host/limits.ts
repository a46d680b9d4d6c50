// Bounds of what a page sends, which the page keeps to and the host checks. Lengths are in UTF-16 code units.

/** Maximum length of a message's text. */
export const maxMessageLength = 1_000_000;
/** Maximum number of references per message. */
export const maxReferences = 20;
/** Bytes per piece of a file: a multiple of three, so that only the last piece has base64 padding. */
export const pieceBytes = 192 * 1024;
/** Maximum number of parts per message, besides the text. */
export const maxParts = 20;
/** Maximum size of a file, and of all files of a message together, in bytes. */
export const maxFileBytes = 8 * 1024 * 1024;
export const maxFilesBytes = 16 * 1024 * 1024;
/** Maximum length of a data part and of metadata as typed. */
export const maxJsonLength = 200_000;
/** Maximum length of a file name and of a media type. */
export const maxNameLength = 120;
/** Maximum number of output modes of a message. */
export const maxOutputModes = 50;
/** Largest history length that can be asked for. */
export const maxHistoryLength = 1_000_000;
/** Maximum number of URIs dropped at once. */
export const maxDropped = 20;
/** Maximum length of a text to find. */
export const maxFindLength = 1_000;
/** Maximum number of exchanges that are exported by name. */
export const maxExported = 1_000;
/** Maximum number of tasks that can be drawn separately on request. */
export const maxUnfolded = 1_000;
