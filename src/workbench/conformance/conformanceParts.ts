import type * as Bundle from '../../conformance/bundle/bundle.ts';

/** What checks of conformance take, once it is loaded. */
export type Conformance = typeof Bundle;

/** Loads it. */
export type ConformanceParts = () => Promise<Conformance>;
