/** Scheme of the documents with responses. */
export const responseScheme = 'a2a-response';
