import { expect } from 'chai';
import { createCipher } from './cipher.ts';

const SECRET = { current: 'a-secret-of-the-tests-000000000000000001', previous: [] };
const OTHER_SECRET = { current: 'another-secret-of-the-tests-00000000000002', previous: [] };
const { encrypt: seal, decrypt: open } = createCipher(SECRET, 'sealed code');

/** Returns the text with a different character at the position. */
const alter = (text: string, place: number): string =>
  text.slice(0, place) + (text[place] === 'A' ? 'B' : 'A') + text.slice(place + 1);

describe('encryption with a key for each purpose', () => {
  it('decrypts to the original code, leading zeros included', () => {
    for (const code of ['042917', '000000', '999999']) expect(open(seal(code))).to.equal(code);
  });

  it('decrypts in another process with the same secret', () => {
    expect(createCipher(SECRET, 'sealed code').decrypt(seal('042917'))).to.equal('042917');
  });

  it('does not reveal the code and differs each time', () => {
    const sealed = Array.from({ length: 100 }, () => seal('042917'));
    expect(new Set(sealed).size).to.equal(100);
    for (const text of sealed) {
      expect(text).to.match(/^[\w-]+$/);
      expect(Buffer.from(text, 'base64url').includes('042917')).to.equal(false);
    }
  });

  it('fails to decrypt when any character was altered', () => {
    const sealed = seal('042917');
    // The last character contains bits that base64url ignores.
    for (let place = 0; place < sealed.length - 1; place += 1)
      expect(() => open(alter(sealed, place)), `altered at ${place}`).to.throw(/altered/);
  });

  it('fails to decrypt with another secret', () => {
    const other = createCipher(OTHER_SECRET, 'sealed code');
    expect(() => other.decrypt(seal('042917'))).to.throw(/another key/);
  });

  it('decrypts with a previous secret', () => {
    const rotated = createCipher({ ...OTHER_SECRET, previous: [SECRET.current] }, 'sealed code');
    expect(rotated.decrypt(seal('042917'))).to.equal('042917');
    expect(() => open(rotated.encrypt('042917'))).to.throw(/another key/);
  });

  it('fails to decrypt for another purpose', () => {
    const secrets = createCipher(SECRET, 'TOTP secret');
    expect(() => secrets.decrypt(seal('042917'))).to.throw(/A TOTP secret was altered/);
    expect(() => open(secrets.encrypt('042917'))).to.throw(/A sealed code was altered/);
  });

  it('decrypts a text that was encrypted when the format was defined', () => {
    const sealed = 'J1FIJmMHo3rSc25Sx2ArljzXFNNeeCZRqWHY_SKAr5AvWA';
    expect(open(sealed)).to.equal('042917');
  });

  it('fails to decrypt shorter, longer and unrelated text', () => {
    const sealed = seal('042917');
    for (const text of ['', 'x', '042917', sealed.slice(0, -4), sealed.slice(4), `${sealed}AAAA`])
      expect(() => open(text), text).to.throw(/altered/);
  });
});
