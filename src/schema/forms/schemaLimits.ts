import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** How keywords that limit a size read. Lengths count characters, not UTF-16 units. */
export const limitWords: Readonly<Record<string, (limit: number) => LocalizedMessage>> = {
  minimum: limit => sentence('should be at least {0}', limit),
  maximum: limit => sentence('should be at most {0}', limit),
  exclusiveMinimum: limit => sentence('should be more than {0}', limit),
  exclusiveMaximum: limit => sentence('should be less than {0}', limit),
  multipleOf: limit => sentence('should be a multiple of {0}', limit),
  minLength: limit => sentence('should be at least {0} characters long', limit),
  maxLength: limit => sentence('should be at most {0} characters long', limit),
  minItems: limit => sentence('should have at least {0} items', limit),
  maxItems: limit => sentence('should have at most {0} items', limit),
  minProperties: limit => sentence('should have at least {0} members', limit),
  maxProperties: limit => sentence('should have at most {0} members', limit),
};

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

/** True if a text has the format, and for unknown formats. */
export const isOfFormat = (format: string, text: string): boolean => !Object.hasOwn(formats, format) || formats[format]!.holds(text);

export const formatWords = (format: string): LocalizedMessage => formats[format]!.reads;

/** The strings of a list; none where it is no list. */
export const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []).filter(item => typeof item === 'string');
