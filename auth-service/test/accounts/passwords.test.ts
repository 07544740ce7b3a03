import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { describeEachKind, useAuthService } from '../auth-service.ts';

const accepted: [string, string][] = [
  ['8 characters', '12345678'],
  ['8 characters of two bytes each', 'ü'.repeat(8)],
  ['72 bytes of one-byte characters', 'a'.repeat(72)],
  ['72 bytes in 24 characters', '€'.repeat(24)],
  ['72 bytes in 18 characters', '😀'.repeat(18)],
  [
    'a passphrase of 64 characters with spaces',
    'the quick brown fox jumps over the lazy dog and then sleeps well',
  ],
  ['letters of many scripts', 'пароль 密码 סיסמה'],
  ['only spaces', '        '],
];

const rejected: [string, string][] = [
  ['7 characters', '1234567'],
  ['4 characters that JavaScript counts as 8', '😀'.repeat(4)],
  ['73 bytes of one-byte characters', 'a'.repeat(73)],
  ['73 bytes in 25 characters', `${'€'.repeat(24)}x`],
  ['74 bytes in 37 characters', 'ü'.repeat(37)],
  ['100,000 bytes', 'a'.repeat(100_000)],
];

/** Similar inputs that are not the password. */
const lookalikes: [string, string, string][] = [
  ['without the spaces around it', ' pass phrase ', 'pass phrase'],
  ['with two spaces instead of one', 'pass phrase', 'pass  phrase'],
  ['in another letter case', 'Pass phrase', 'pass phrase'],
  ['with a decomposed accent', 'caf\u00e9 caf\u00e9', 'cafe\u0301 cafe\u0301'],
  ['with an additional letter', 'pass phrase', 'pass phrases'],
  ['with a letter beyond the 72 bytes that bcrypt reads', 'a'.repeat(72), 'a'.repeat(73)],
];

describe('passwords', () => {
  const service = useAuthService();

  describeEachKind(ACCOUNT_KINDS, service, (client) => {
    for (const [name, password] of accepted)
      it(`accepts ${name}, and signs in with it unmodified`, async () => {
        await client().openDevice(await client().createAccount({ password }));
      });

    for (const [name, password] of rejected)
      it(`rejects ${name}`, async () => {
        const response = await client().signUp({ email: uniqueEmail(), password });
        expectError(response, 400, 'VALIDATION_FAILED', '/body/password');
      });

    for (const [name, password, input] of lookalikes)
      it(`does not sign in ${name}`, async () => {
        const { email } = await client().createAccount({ password });
        await client().expectNoSignIn({ email, password: input });
      });
  });
});
