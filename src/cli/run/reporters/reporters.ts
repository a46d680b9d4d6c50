import { json } from './json.ts';
import { junit } from './junit.ts';
import type { Reporter } from './reporter.ts';
import { spec } from './spec.ts';

/** By the name that `--reporter` takes. Adding one is adding a row. */
export const reporters: Readonly<Record<string, Reporter>> = { spec, junit, json };
