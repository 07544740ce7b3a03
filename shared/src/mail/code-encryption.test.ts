import { expect } from 'chai';
import { createCodeCipher } from './code-encryption.ts';

const SECRET = { current: 'a-secret-of-the-tests-000000000000000001', previous: [] };
const { encrypt: seal, decrypt: open } = createCodeCipher(SECRET);

/** The same text with another character at the place. */
const alter = (text: string, place: number): string =>
  text.slice(0, place) + (text[place] === 'A' ? 'B' : 'A') + text.slice(place + 1);

describe('Code encryption', () => {
  it('decrypts to the original code, leading zeros included', () => {
    for (const code of ['042917', '000000', '999999']) expect(open(seal(code))).to.equal(code);
  });

  it('decrypts in another process with the same secret', () => {
    expect(createCodeCipher(SECRET).decrypt(seal('042917'))).to.equal('042917');
  });

  it('reveals nothing of the code and differs each time', () => {
    const sealed = Array.from({ length: 100 }, () => seal('042917'));
    expect(new Set(sealed).size).to.equal(100);
    for (const text of sealed) {
      expect(text).to.match(/^[\w-]+$/);
      expect(Buffer.from(text, 'base64url').includes('042917')).to.equal(false);
    }
  });

  it('fails to decrypt when any character was altered', () => {
    const sealed = seal('042917');
    // The last one holds bits that base64url ignores.
    for (let place = 0; place < sealed.length - 1; place += 1)
      expect(() => open(alter(sealed, place)), `altered at ${place}`).to.throw(/altered/);
  });

  it('fails to decrypt with another secret', () => {
    const other = createCodeCipher({ current: 'another-secret-of-the-tests-00000000000002', previous: [] });
    expect(() => other.decrypt(seal('042917'))).to.throw(/another CODE_SECRET_KEY/);
  });

  it('fails to decrypt shorter, longer and unrelated text', () => {
    const sealed = seal('042917');
    for (const text of ['', 'x', '042917', sealed.slice(0, -4), sealed.slice(4), `${sealed}AAAA`])
      expect(() => open(text), text).to.throw(/altered/);
  });
});
