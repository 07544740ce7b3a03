import { expect } from 'chai';
import { createLineParser, type ImportedUser } from './import.ts';

const SALT_AND_HASH = 'N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const MINIMAL = { kind: 'customer', email: 'Ada@Example.com' };

describe('line of a user import', () => {
  const parse = createLineParser(12);
  const reasonOf = (line: object | string): string => {
    const parsed = parse(typeof line === 'string' ? line : JSON.stringify(line));
    return 'reason' in parsed ? parsed.reason : 'valid';
  };

  it('is read with all fields', () => {
    const given = {
      ...MINIMAL,
      kind: 'employee',
      passwordHash: `$2y$10$${SALT_AND_HASH}`,
      isEmailVerified: true,
      firstName: 'Ada',
      lastName: 'Lovelace',
      phone: '+44 20 7946 0958',
      language: 'de',
      createdAt: '2019-02-03T04:05:06+02:00',
    };
    const user: ImportedUser = {
      ...given,
      kind: 'employee',
      email: 'ada@example.com',
      language: 'de',
      createdAt: new Date('2019-02-03T02:05:06Z'),
    };
    expect(parse(JSON.stringify(given))).to.deep.equal({ user });
  });

  it('needs only kind and e-mail; null counts as absent', () => {
    const user = {
      ...MINIMAL,
      email: 'ada@example.com',
      passwordHash: null,
      isEmailVerified: false,
      firstName: null,
      lastName: null,
      phone: null,
      language: 'en',
    };
    for (const line of [MINIMAL, { ...user, isEmailVerified: null, createdAt: null }]) {
      const parsed = parse(JSON.stringify(line));
      const { createdAt, ...others } = 'user' in parsed ? parsed.user : {};
      expect(others).to.deep.equal(user);
      expect(Number(createdAt)).to.be.closeTo(Date.now(), 60_000);
    }
  });

  const withField = (name: string, value: unknown) => ({ ...MINIMAL, [name]: value });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  for (const [reason, ...lines] of [
    ['The line is not a JSON object', '{"kind":', '[]', 'null', '"text"', '7'],
    ['The line is not UTF-8', JSON.stringify(withField('firstName', 'Andr\ufffd'))],
    ['kind is missing', { email: 'ada@example.com' }, withField('kind', null)],
    ['email is missing', { kind: 'customer' }],
    ['kind must', withField('kind', 'administrator'), withField('kind', 'CUSTOMER')],
    [
      'email must',
      ...[
        'ada',
        'ada@',
        'a b@example.com',
        `${'a'.repeat(65)}@example.com`,
        `a@${'b.'.repeat(125)}test`,
        7,
      ].map((email) => withField('email', email)),
    ],
    [
      'passwordHash must',
      ...[
        `$2b$03$${SALT_AND_HASH}`,
        `$2b$13$${SALT_AND_HASH}`,
        `$2x$10$${SALT_AND_HASH}`,
        `$2b$10$${SALT_AND_HASH}.`,
        '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA',
        '',
      ].map((value) => withField('passwordHash', value)),
    ],
    ['isEmailVerified must', ...['true', 1].map((value) => withField('isEmailVerified', value))],
    [
      'firstName must',
      ...['', ' \u200b', 'a'.repeat(101), 'a\0', 'a\nb', 'a\u202eb', '\ud800', 7].map((value) =>
        withField('firstName', value),
      ),
    ],
    ['lastName must', withField('lastName', '😀'.repeat(101))],
    ['phone must', withField('phone', '1'.repeat(33)), withField('phone', '1\r\n2')],
    ['language must', withField('language', 'fr'), withField('language', 'EN')],
    [
      'createdAt must',
      ...[
        tomorrow,
        '2019-02-03',
        '2019-02-03T04:05:06',
        '0001-01-01T00:00:00Z',
        '2019-13-01T00:00:00Z',
        '2019-02-29T00:00:00Z',
        '2019-02-03T24:00:00Z',
        0,
      ].map((value) => withField('createdAt', value)),
    ],
    ['roles is not a known field', withField('roles', ['ADMIN'])],
    ['__proto__ is not a known field', '{"kind":"customer","email":"ada@example.com","__proto__":1}'],
  ] as const)
    it(`is rejected: ${reason}`, () => {
      for (const line of lines)
        expect(reasonOf(line), JSON.stringify(line)).to.match(new RegExp(`^${reason}`));
    });

  it('is rejected with every reason', () => {
    expect(reasonOf({ kind: 'guest', language: 'fr' })).to.equal(
      'email is missing; kind must be one of: customer, employee; language must be one of: en, de',
    );
  });

  it('has its names trimmed and in the form NFC, in which their length is counted', () => {
    const names = { firstName: ' Jo\u200bse\u0301', lastName: `${'e\u0301'.repeat(100)}\u00a0` };
    // The second line has escape sequences.
    const line = JSON.stringify({ ...MINIMAL, ...names });
    for (const text of [line, line.replaceAll('\u0301', '\\u0301')]) {
      const parsed = parse(text);
      const composed = { firstName: 'Jos\u00e9', lastName: '\u00e9'.repeat(100) };
      expect('user' in parsed && parsed.user, text).to.deep.include(composed);
    }
  });

  it('accepts the limits', () => {
    for (const [name, value] of [
      ['passwordHash', `$2a$04$${SALT_AND_HASH}`],
      ['passwordHash', `$2b$12$${SALT_AND_HASH}`],
      ['firstName', '😀'.repeat(100)],
      ['createdAt', '1970-01-01T00:00:00Z'],
    ] as const)
      expect(reasonOf(withField(name, value)), value).to.equal('valid');
  });
});
