/** True for an extension that can be listed in a header: no spaces, and no comma, which separates extensions. */
export const isValidExtensionUri = (uri: string): boolean => /^[\x21-\x2b\x2d-\x7e]+$/.test(uri);
