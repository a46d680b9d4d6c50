/** Names of environment files. The private one stays out of version control. */
export const environmentFileNames = { shared: 'a2a.env.json', private: 'a2a.private.env.json' } as const;
