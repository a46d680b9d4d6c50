import type { ConformanceView, EvidenceView } from '../host/conformanceMessages.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const haveTexts = (value: unknown, names: readonly string[]): value is Readonly<Record<string, unknown>> =>
  isObject(value) && names.every(name => typeof value[name] === 'string');
const isList = (value: unknown, is: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(is);
const areTexts = (value: unknown): boolean => isObject(value) && Object.values(value).every(text => typeof text === 'string');
const areCounts = (value: unknown): boolean => isObject(value) && Object.values(value).every(count => typeof count === 'number');

/** Validates a message of the host; undefined where it is none. */
export function readConformanceMessage(data: unknown): ConformanceView | EvidenceView | undefined {
  if (!isObject(data)) return undefined;
  if (data['type'] === 'evidence')
    return haveTexts(data, ['request', 'before', 'marked', 'after', 'status']) &&
      typeof data['run'] === 'number' &&
      typeof data['index'] === 'number'
      ? (data as unknown as EvidenceView)
      : undefined;
  const { progress, run } = data;
  const isView =
    data['type'] === 'view' &&
    typeof data['agent'] === 'string' &&
    (progress === undefined ||
      (haveTexts(progress, ['what']) && typeof progress['done'] === 'number' && typeof progress['total'] === 'number')) &&
    (run === undefined || isRun(run)) &&
    isList(data['runs'], each => haveTexts(each, ['label']) && typeof each['id'] === 'number') &&
    isList(
      data['deviations'],
      each => haveTexts(each, ['rule', 'title', 'level', 'last', 'message', 'exchangeId']) && typeof each['count'] === 'number',
    ) &&
    areTexts(data['verdicts']) &&
    areTexts(data['strings']);
  return isView ? (data as unknown as ConformanceView) : undefined;
}

const isRun = (value: unknown): boolean =>
  haveTexts(value, ['when']) &&
  typeof value['id'] === 'number' &&
  isList(value['remarks'], each => typeof each === 'string') &&
  isList(value['interfaces'], each => haveTexts(each, ['title', 'short'])) &&
  areCounts(value['counts']) &&
  isList(value['levels'], each => haveTexts(each, ['title']) && areCounts(each['counts'])) &&
  isList(value['families'], each => haveTexts(each, ['key', 'title']) && areCounts(each['counts'])) &&
  isList(
    value['results'],
    each => haveTexts(each, ['rule', 'title', 'level', 'section', 'family', 'verdict', 'why']) && typeof each['interface'] === 'number',
  );
