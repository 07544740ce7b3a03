import { createCipher } from '@platform/shared/encryption/cipher';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { createTotpCodes } from './totp-adapter.ts';

const OLD_KEY = 'second-factor-key-of-the-tests-00000000001';
const NEW_KEY = 'second-factor-key-of-the-tests-00000000002';
const withKeys = (current: string, ...previous: string[]) =>
  createTotpCodes(createCipher({ current, previous }, 'TOTP secret'), 'Büro & Co');

const STEP_MILLISECONDS = 30_000;
/** Makes sure that a test generates and verifies its codes in the same time step. */
const awayFromStepEnd = async (): Promise<void> => {
  const left = STEP_MILLISECONDS - (Date.now() % STEP_MILLISECONDS);
  if (left < 500) await new Promise((resolve) => setTimeout(resolve, left));
};

describe('TOTP codes', () => {
  beforeEach(awayFromStepEnd);
  const totp = withKeys(OLD_KEY);
  const created = totp.createSecret('a+b@example.com');
  const verify = (code: string, lastUsedStep: number | null = null) =>
    totp.verify({ sealedSecret: created.sealedSecret, lastUsedStep }, code);
  const step = () => Math.floor(Date.now() / STEP_MILLISECONDS);

  it('creates secrets of 160 bits, and a URL with encoded issuer and e-mail', () => {
    expect(created.secret).to.match(/^[A-Z2-7]{32}$/);
    expect(totp.createSecret('a+b@example.com').secret).not.to.equal(created.secret);
    const { pathname, searchParams } = new URL(created.otpauthUrl);
    expect(pathname).to.equal('/B%C3%BCro%20%26%20Co:a%2Bb%40example.com');
    expect(created.otpauthUrl).not.to.include('+');
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      secret: created.secret,
      issuer: 'Büro & Co',
    });
    expect(created.sealedSecret).not.to.include(created.secret);
  });

  it('accepts the codes of the current step, and of one step before and after', () => {
    for (const offset of [-1, 0, 1])
      expect(verify(totpCode(created.secret, offset))?.step).to.equal(step() + offset);
    for (const offset of [-3, -2, 2, 3]) expect(verify(totpCode(created.secret, offset))).to.equal(undefined);
  });

  it('rejects the codes of the last used step and of earlier ones', () => {
    expect(verify(totpCode(created.secret, 1), step())?.step).to.equal(step() + 1);
    expect(verify(totpCode(created.secret), step())).to.equal(undefined);
    expect(verify(totpCode(created.secret, -1), step())).to.equal(undefined);
    expect(verify(totpCode(created.secret), step() + 1_000)).to.equal(undefined);
  });

  it('encrypts the secret with the current key at each use', () => {
    const rotated = withKeys(NEW_KEY, OLD_KEY);
    const used = rotated.verify({ ...created, lastUsedStep: null }, totpCode(created.secret));
    const later = withKeys(NEW_KEY);
    expect(
      later.verify({ sealedSecret: used?.sealedSecret ?? '', lastUsedStep: null }, totpCode(created.secret)),
    ).not.to.equal(undefined);
    expect(() => later.verify({ ...created, lastUsedStep: null }, totpCode(created.secret))).to.throw(
      'A TOTP secret was altered, or encrypted with another key',
    );
  });
});
