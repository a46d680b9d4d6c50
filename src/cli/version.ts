/** That of package.json, which a program of one file does not have beside it. */
export const version = '0.1.0';
