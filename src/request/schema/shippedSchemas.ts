import { readFileSync } from 'node:fs';
import type { JsonSchema } from './jsonSchema.ts';

/** A schema of `readySchemas`, which the build has written. */
const read = (name: string) => (): JsonSchema =>
  JSON.parse(readFileSync(new URL(`./schemas/${name}`, import.meta.url), 'utf8')) as JsonSchema;

export const requestFileSchema = read('checked.json');
export const defaultsSchema = read('checked-defaults.json');
export const matcherSchema = read('checked-matchers.json');
export const resultSchema = read('results.json');
