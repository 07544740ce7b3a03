import { useAuthService } from '../../testing/auth-service.ts';

const accepted: [string, string][] = [
  ['8 characters of two bytes each', 'ü'.repeat(8)],
  ['72 bytes in 24 characters', '€'.repeat(24)],
  ['letters of many scripts', 'пароль 密码 סיסמה'],
  ['only spaces', '        '],
];

/** Similar inputs that must not be accepted as the password. */
const lookalikes: [string, string, string][] = [
  ['without the spaces around it', ' pass phrase ', 'pass phrase'],
  ['in another letter case', 'Pass phrase', 'pass phrase'],
  ['with a decomposed accent', 'caf\u00e9 caf\u00e9', 'cafe\u0301 cafe\u0301'],
  ['with a letter beyond the 72 bytes that bcrypt reads', 'a'.repeat(72), 'a'.repeat(73)],
];

describe('passwords', () => {
  const service = useAuthService();
  const client = () => service().as('customer');

  for (const [name, password] of accepted)
    it(`accepts ${name}, and signs in with it unmodified`, async () => {
      await client().openDevice(await client().createAccount({ password }));
    });

  for (const [name, password, input] of lookalikes)
    it(`does not sign in ${name}`, async () => {
      const { email } = await client().createAccount({ password });
      await client().expectNoSignIn({ email, password: input });
    });
});
