import { Matcher } from '../expect/matcher.ts';
import { jsonSchemaOf, withTemplates, type JsonSchema } from './jsonSchema.ts';

/** The schema of a matcher of `expect`, by which an object is checked that is meant as one. */
export const matcherSchema = (): JsonSchema => withTemplates(jsonSchemaOf(Matcher));
