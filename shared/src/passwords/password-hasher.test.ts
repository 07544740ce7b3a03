import { expect } from 'chai';
import { AppError } from '../errors/app-error.ts';
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts';

describe('The password hasher', () => {
  let hasher: PasswordHasher;
  before(() => {
    hasher = createPasswordHasher({ cost: 4, maxQueue: 8 });
  });
  after(() => hasher.close());

  it('makes a bcrypt hash of the cost it was told, with a salt of its own each time', async () => {
    const hashes = [await hasher.hash('a password'), await hasher.hash('a password')];
    for (const hash of hashes) expect(hash).to.match(/^\$2b\$04\$[./A-Za-z0-9]{53}$/);
    expect(hashes[0]).not.to.equal(hashes[1]);
  });

  it('knows the password again, and no other', async () => {
    const hash = await hasher.hash('pässword 1');
    expect(await hasher.compare('pässword 1', hash)).to.equal(true);
    for (const other of ['password 1', 'pässword 1 ', 'PÄSSWORD 1', '', 'pässword'])
      expect(await hasher.compare(other, hash), other).to.equal(false);
  });

  it('reads a password to its 72nd byte and takes nothing longer for it', async () => {
    const hash = await hasher.hash('x'.repeat(72));
    expect(await hasher.compare('x'.repeat(72), hash)).to.equal(true);
    expect(await hasher.compare('x'.repeat(71), hash)).to.equal(false);
    expect(await hasher.compare('x'.repeat(73), hash)).to.equal(false);
    expect(await hasher.compare(`${'x'.repeat(72)}€`, hash)).to.equal(false);
  });

  it('knows no password of an account that does not exist, nor of a broken hash', async () => {
    for (const hash of [undefined, '', 'garbage', '$2b$04$short'])
      expect(await hasher.compare('a password', hash)).to.equal(false);
  });

  it('refuses what does not fit into its queue and serves the rest', async () => {
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => hasher.hash('a password')));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).to.be.within(20, 32);
    for (const { reason } of refused) {
      expect(reason).to.be.instanceOf(AppError);
      expect(reason).to.include({ code: 'SERVICE_UNAVAILABLE', status: 503 });
      expect(reason.headers).to.have.property('Retry-After');
    }
    expect(hasher.waiting()).to.equal(0);
    expect(await hasher.hash('a password')).to.be.a('string');
  });
});
