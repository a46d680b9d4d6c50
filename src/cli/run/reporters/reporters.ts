import { github } from './github.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { latency } from './latency.ts';
import type { NewReporter } from './reporter.ts';
import { spec } from './spec.ts';

/** All reporters by their name in `--reporter`. To add one, add a row. */
export const reporters: Readonly<Record<string, NewReporter>> = { spec, junit, json, github, latency };
