import { AppError } from '@platform/shared/errors/app-error';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import { createSemaphore } from './semaphore.ts';

const expectOverloaded = async (acquired: Promise<void>): Promise<void> => {
  const error = await getRejection(acquired);
  expect(error).to.be.instanceOf(AppError).and.include({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  expect(error).to.have.nested.property('headers.Retry-After');
};

describe('semaphore of the password hasher', () => {
  it('rejects a task that waits too long, and does not count it afterwards', async () => {
    const semaphore = createSemaphore({ permits: 1, maxWaiting: 2, maxWaitMilliseconds: 5 });
    await semaphore.acquire();
    await Promise.all([expectOverloaded(semaphore.acquire()), expectOverloaded(semaphore.acquire())]);
    expect(semaphore.waiting()).to.equal(0);
    semaphore.release();
    await semaphore.acquire();
    await expectOverloaded(semaphore.acquire());
  });

  it('runs tasks in the order of arrival, and rejects tasks beyond the queue', async () => {
    const semaphore = createSemaphore({ permits: 1, maxWaiting: 2, maxWaitMilliseconds: 60_000 });
    await semaphore.acquire();
    const order: string[] = [];
    const waiting = ['first', 'second'].map(async (name) => {
      await semaphore.acquire();
      order.push(name);
      semaphore.release();
    });
    await expectOverloaded(semaphore.acquire());
    expect(semaphore.waiting()).to.equal(2);
    semaphore.release();
    await Promise.all(waiting);
    expect(order).to.deep.equal(['first', 'second']);
  });
});
