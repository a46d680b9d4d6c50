export { requestFileSchema } from './requestFileSchema.ts';
export { defaultsSchema } from './defaultsSchema.ts';
export { matcherSchema } from './matcherSchema.ts';
export { resultSchema } from './resultSchema.ts';
