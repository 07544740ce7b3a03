import { AppError } from '@platform/shared/errors/app-error';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import { createTurns } from './password-hasher-adapter.ts';

const expectOverloaded = async (turn: Promise<void>): Promise<void> => {
  const error = await getRejection(turn);
  expect(error).to.be.instanceOf(AppError).and.include({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  expect(error).to.have.nested.property('headers.Retry-After');
};

describe('turns of the password hasher', () => {
  it('reject a task that waits too long, which takes no place afterwards', async () => {
    const turns = createTurns({ places: 1, maxWaiting: 2, maxWaitMilliseconds: 5 });
    await turns.take();
    await Promise.all([expectOverloaded(turns.take()), expectOverloaded(turns.take())]);
    expect(turns.waiting()).to.equal(0);
    turns.release();
    await turns.take();
    await expectOverloaded(turns.take());
  });

  it('follow the order of arrival, and end beyond the queue', async () => {
    const turns = createTurns({ places: 1, maxWaiting: 2, maxWaitMilliseconds: 60_000 });
    await turns.take();
    const order: string[] = [];
    const waiting = ['first', 'second'].map(async (name) => {
      await turns.take();
      order.push(name);
      turns.release();
    });
    await expectOverloaded(turns.take());
    expect(turns.waiting()).to.equal(2);
    turns.release();
    await Promise.all(waiting);
    expect(order).to.deep.equal(['first', 'second']);
  });
});
