/** A string that is a single template. */
export const template = '^\\{\\{.*\\}\\}$';
