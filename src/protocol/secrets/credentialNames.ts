const credentialName = /authorization|cookie|key|token|secret|auth/i;
/** Headers that ask for credentials and contain none. */
const challenges = new Set(['www-authenticate', 'proxy-authenticate']);

/** True where the name of a header or query parameter indicates that its value is a credential. */
export const namesCredential = (name: string): boolean => credentialName.test(name) && !challenges.has(name.toLowerCase());
