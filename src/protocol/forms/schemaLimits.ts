import { isObject } from '../json.ts';
import { sentence, type LocalizedMessage } from '../problem.ts';

/** Keywords that limit a size, and how they read. Lengths count characters, not UTF-16 units. */
const limits: Readonly<
  Record<
    string,
    {
      readonly of: (value: unknown) => number | undefined;
      readonly holds: (size: number, limit: number) => boolean;
      readonly reads: (limit: number) => LocalizedMessage;
    }
  >
> = {
  minimum: { of: numberOf, holds: (size, limit) => size >= limit, reads: limit => sentence('should be at least {0}', limit) },
  maximum: { of: numberOf, holds: (size, limit) => size <= limit, reads: limit => sentence('should be at most {0}', limit) },
  exclusiveMinimum: { of: numberOf, holds: (size, limit) => size > limit, reads: limit => sentence('should be more than {0}', limit) },
  exclusiveMaximum: { of: numberOf, holds: (size, limit) => size < limit, reads: limit => sentence('should be less than {0}', limit) },
  multipleOf: { of: numberOf, holds: isMultiple, reads: limit => sentence('should be a multiple of {0}', limit) },
  minLength: {
    of: lengthOf,
    holds: (size, limit) => size >= limit,
    reads: limit => sentence('should be at least {0} characters long', limit),
  },
  maxLength: {
    of: lengthOf,
    holds: (size, limit) => size <= limit,
    reads: limit => sentence('should be at most {0} characters long', limit),
  },
  minItems: { of: itemsOf, holds: (size, limit) => size >= limit, reads: limit => sentence('should have at least {0} items', limit) },
  maxItems: { of: itemsOf, holds: (size, limit) => size <= limit, reads: limit => sentence('should have at most {0} items', limit) },
  minProperties: {
    of: membersOf,
    holds: (size, limit) => size >= limit,
    reads: limit => sentence('should have at least {0} members', limit),
  },
  maxProperties: {
    of: membersOf,
    holds: (size, limit) => size <= limit,
    reads: limit => sentence('should have at most {0} members', limit),
  },
};

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
function lengthOf(value: unknown): number | undefined {
  return typeof value === 'string' ? [...value].length : undefined;
}
function itemsOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}
function membersOf(value: unknown): number | undefined {
  return isObject(value) ? Object.keys(value).length : undefined;
}

/** 19.99 is a multiple of 0.01, although no quotient of doubles says so. */
function isMultiple(value: number, of: number): boolean {
  return of <= 0 || Number.isInteger(Number((value / of).toPrecision(15)));
}

/** Formats that are checked, each with an expression that takes linear time; others say nothing that could be wrong. */
const formats: Readonly<Record<string, { readonly holds: (text: string) => boolean; readonly reads: LocalizedMessage }>> = {
  date: { holds: isDate, reads: sentence('should be a date such as {0}', '2026-11-22') },
  'date-time': {
    holds: text =>
      isDate(text.slice(0, 10)) &&
      /^[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.test(text.slice(10)),
    reads: sentence('should be a date with a time such as {0}', '2026-11-22T10:30:00Z'),
  },
  // Widely used agents' frameworks write and take times without seconds and without an offset, which RFC 3339 wants.
  time: {
    holds: text => /^(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/.test(text),
    reads: sentence('should be a time such as {0}', '10:30:00'),
  },
  duration: {
    holds: text => /^[+-]?P(?=.)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)$/.test(text),
    reads: sentence('should be a duration such as {0}', 'PT1H30M'),
  },
  ipv4: { holds: isIpv4, reads: sentence('should be an IPv4 address') },
  ipv6: { holds: text => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`), reads: sentence('should be an IPv6 address') },
  hostname: {
    holds: text => text.length <= 253 && text.split('.').every(label => /^[\da-z](?:[\da-z-]{0,61}[\da-z])?$/i.test(label)),
    reads: sentence('should be the name of a host'),
  },
  email: { holds: text => /^[^\s@]+@[^\s@]+$/.test(text), reads: sentence('should be an email address') },
  uri: { holds: text => /^[A-Za-z][A-Za-z0-9+.-]*:\S*$/.test(text), reads: sentence('should be a URI') },
  uuid: { holds: text => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text), reads: sentence('should be a UUID') },
};

function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function isIpv4(text: string): boolean {
  const numbers = text.split('.');
  return numbers.length === 4 && numbers.every(number => /^(?:0|[1-9]\d{0,2})$/.test(number) && Number(number) <= 255);
}

/** The limits and formats of a schema that a value breaks. */
export function limitsBroken(schema: Readonly<Record<string, unknown>>, value: unknown): readonly LocalizedMessage[] {
  const broken = Object.entries(limits).flatMap(([keyword, { of, holds, reads }]) => {
    const limit = schema[keyword];
    const size = typeof limit === 'number' ? of(value) : undefined;
    return typeof limit !== 'number' || size === undefined || holds(size, limit) ? [] : [reads(limit)];
  });
  const { format } = schema;
  const known = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  return known === undefined || typeof value !== 'string' || known.holds(value) ? broken : [...broken, known.reads];
}

/** The strings of a list; none where it is no list. */
export const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []).filter(item => typeof item === 'string');
