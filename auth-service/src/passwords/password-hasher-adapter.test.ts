import { availableParallelism } from 'node:os';
import { AppError } from '@platform/shared/errors/app-error';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import { createPasswordHasher, type PasswordHasher } from './password-hasher-adapter.ts';

const MAX_QUEUE = 8;
const FROM = { address: '198.18.0.1' };

describe('Password hasher', () => {
  let hasher: PasswordHasher;
  before(() => {
    hasher = createPasswordHasher({ cost: 4, maxQueue: MAX_QUEUE });
  });
  after(() => hasher.close());

  it('creates a bcrypt hash of the configured cost with a new salt each time', async () => {
    const hashes = [await hasher.hash('a password', FROM), await hasher.hash('a password', FROM)];
    for (const hash of hashes) expect(hash).to.match(/^\$2b\$04\$[./A-Za-z0-9]{53}$/);
    expect(hashes[0]).not.to.equal(hashes[1]);
  });

  it('matches the password and no other', async () => {
    const hash = await hasher.hash('pässword 1', FROM);
    expect(await hasher.compare('pässword 1', hash, FROM)).to.equal(true);
    for (const other of ['password 1', 'pässword 1 ', 'PÄSSWORD 1', '', 'pässword'])
      expect(await hasher.compare(other, hash, FROM), other).to.equal(false);
  });

  it('compares up to 72 bytes and does not match a longer password', async () => {
    const hash = await hasher.hash('x'.repeat(72), FROM);
    expect(await hasher.compare('x'.repeat(72), hash, FROM)).to.equal(true);
    expect(await hasher.compare('x'.repeat(71), hash, FROM)).to.equal(false);
    expect(await hasher.compare('x'.repeat(73), hash, FROM)).to.equal(false);
    expect(await hasher.compare(`${'x'.repeat(72)}€`, hash, FROM)).to.equal(false);
  });

  it('matches no password without a hash or with a malformed one', async () => {
    for (const hash of [undefined, '', 'garbage', '$2b$04$short'])
      expect(await hasher.compare('a password', hash, FROM)).to.equal(false);
  });

  it('rejects tasks beyond its queue and serves the others', async () => {
    const capacity = availableParallelism() + MAX_QUEUE;
    const tasks = Array.from({ length: capacity + 20 }, () => hasher.hash('a password', FROM));
    const results = await Promise.allSettled(tasks);
    const rejected = results.filter((result) => result.status === 'rejected');
    expect(rejected.length).to.be.within(20, tasks.length - MAX_QUEUE);
    for (const { reason } of rejected) {
      expect(reason).to.be.instanceOf(AppError);
      expect(reason).to.include({ code: 'SERVICE_UNAVAILABLE', status: 503 });
      expect(reason.headers).to.have.property('Retry-After');
    }
    expect(hasher.waiting()).to.equal(0);
    expect(await hasher.hash('a password', FROM)).to.be.a('string');
  });

  it('skips the renewal of a hash while the queue is overloaded, but passes on other errors', async () => {
    const capacity = availableParallelism() + MAX_QUEUE;
    const tasks = Array.from({ length: capacity }, () => hasher.hash('a password', FROM));
    const now = () => ({ ...FROM, requestedAt: performance.now() });
    expect(await hasher.renew('a password', now())).to.equal(undefined);
    await Promise.all(tasks);
    expect(await hasher.renew('a password', now())).to.match(/^\$2b\$04\$/);
    const failed = await getRejection(hasher.renew(undefined as unknown as string, now()));
    expect(failed).to.be.instanceOf(Error).and.not.to.be.instanceOf(AppError);
  });

  it('rejects more than two checks of one user at a time with 429, and serves other users', async () => {
    const check = (userId: string) => hasher.limitChecks(userId, () => hasher.hash('a password', FROM));
    const other = check('other');
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => check('one')));
    const rejected = results.filter((result) => result.status === 'rejected');
    expect(rejected).to.have.length(4);
    for (const { reason } of rejected) expect(reason).to.include({ code: 'RATE_LIMITED', status: 429 });
    expect(await other).to.be.a('string');
    expect(await check('one')).to.be.a('string');
  });
});
