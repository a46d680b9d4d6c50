import { json } from './json.ts';
import { junit } from './junit.ts';
import type { Reporter } from './reporter.ts';
import { spec } from './spec.ts';

/** All reporters by their name in `--reporter`. To add one, add a row. */
export const reporters: Readonly<Record<string, Reporter>> = { spec, junit, json };
