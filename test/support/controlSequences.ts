/** Sequences that steer a terminal, tear a line or turn text around: of each kind, in seven bits and in eight, whole and unfinished. */
export const controlSequences: readonly string[] = [
  ...[
    '[2J',
    '[31m',
    '[1;1H',
    '[6n',
    '[?1049h',
    ']0;owned\u0007',
    ']8;;http://127.0.0.1/\u001b\\',
    ']52;c;eA==\u0007',
    'P+q544e\u001b\\',
    '_Gi=1\u001b\\',
    '^x\u001b\\',
    'Xx\u001b\\',
    'c',
    '(0',
    '',
  ].map(rest => `\u001b${rest}`),
  ...['\u009b31m', '\u009d0;x\u009c', '\u0090q\u009c', '\u0085', '\u0084', '\u008d'],
  ...['\0', '\u0007', '\b\b\b', '\u000b', '\f', '\r', '\u000e', '\u000f', '\u001a', '\u007f'],
  ...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
];

/** One invisible character of each kind: zero-width, fillers, variation selectors, tags, annotation marks, and unusual line ends. */
export const unseen: readonly string[] = [
  ...'\u00ad\u034f\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u2028\u2029\u2060\u2063\u206a\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\ufffb\u{1d173}\u{e0001}\u{e0041}\u{e0100}',
];
/** Text that such characters are a part of: Persian, Marathi, a family, a heart, a flag, a form of a Han character. */
export const unseenButNeeded: readonly string[] = [
  'می\u200cخواهم',
  'र\u094d\u200dय',
  '👩\u200d👧',
  '❤\ufe0f',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '葛\u{e0100}',
];

/** Steers a terminal; a tab and a line feed do not. */
export const steering = /[^\P{Cc}\t\n]/u;
/** Turns the direction of text. */
export const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
