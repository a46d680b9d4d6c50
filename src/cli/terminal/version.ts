/** The version in package.json, which is not there beside a bundled program. */
export const version = '0.1.0';
