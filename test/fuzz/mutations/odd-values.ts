/** Texts that have broken programs. */
export const ODD_TEXTS: readonly string[] = [
  ...['', ' ', '\0', 'a\0b', '\ud800', 'x\udfffy', '\u202e\u200f\ufeff', '\u{1f469}\u200d\u{1f680}'],
  ...['e\u0301'.repeat(50), 'İıſK', 'ﷺ', '٣', '\r\nSet-Cookie: a=b', '{{7*7}} #{7*7} <%= 7*7 %>'],
  ...["' or 1=1; drop table users --", "'; select pg_sleep(30); --", "' || (select pg_sleep(30)) || '"],
  ...[
    "a' union select password_hash from users --",
    '$$; select pg_sleep(30); $$',
    "\\'; select 1; --",
    '$1',
  ],
  ...['() { :;}; sleep 30', '; sleep 30 #', '{"$gt":""}', '%27%20or%201=1', '%_\\%', '../../etc/passwd'],
  '<script>alert(1)</script>',
  ...[
    'javascript:alert(1)',
    '1e1000',
    'NaN',
    'null',
    'undefined',
    '[object Object]',
    '__proto__',
    '0x10',
    'true',
  ],
];

/** Names with a special meaning in JavaScript. */
export const PROTOTYPE_KEYS = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then'],
] as const;

/**
 * Negative and fractional numbers, and numbers with more digits than a JavaScript number or a Postgres bigint
 * holds.
 */
export const ODD_NUMBERS = [
  ...['-1', '0', '-0', '1.5', '1e1', '1e400', '-1e308', '1e-400', '9007199254740993', '9223372036854775808'],
  '9'.repeat(400),
] as const;
