import { sameJson } from '../../schema/sameJson.ts';

/** True for equal JSON values. */
export const isSame = (wanted: unknown, value: unknown): boolean => sameJson(wanted, value, () => {});
