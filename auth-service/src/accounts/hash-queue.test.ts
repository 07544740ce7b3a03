import { AppError } from '@platform/shared/errors/app-error';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import { createHashQueue } from './hash-queue.ts';

const FROM = { address: '198.18.0.1' };

const expectOverloaded = async (acquired = Promise.resolve(false)): Promise<void> => {
  const error = await getRejection(acquired);
  expect(error).to.be.instanceOf(AppError).and.include({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  expect(error).to.have.nested.property('headers.Retry-After');
};

/** A full queue of one permit, which records the order in which its tasks start. */
const useBusyQueue = async ({ maxWaiting = 100, permitsOfKnownDevices = 0 } = {}) => {
  const queue = createHashQueue({
    ...{ permits: 1, permitsOfKnownDevices, maxWaiting, maxWaitMilliseconds: 60_000 },
  });
  await queue.acquire(FROM);
  const started: string[] = [];
  const add = (name: string, address: string, isKnown = false) => {
    const acquired = queue.acquire({ address, isKnownDevice: async () => isKnown });
    const done = acquired.then(() => started.push(name));
    // The caller expects some of these errors later.
    done.catch(() => undefined);
    return acquired;
  };
  const runAll = async (): Promise<string[]> => {
    for (let left = queue.waiting(); left >= 0; left -= 1) {
      queue.release();
      await new Promise(setImmediate);
    }
    return started;
  };
  return { queue, add, runAll };
};

describe('password hash queue', () => {
  it('rejects a task that waits too long, and does not count it afterwards', async () => {
    const queue = createHashQueue({
      ...{ permits: 1, permitsOfKnownDevices: 0, maxWaiting: 2, maxWaitMilliseconds: 5 },
    });
    await queue.acquire(FROM);
    await Promise.all([expectOverloaded(queue.acquire(FROM)), expectOverloaded(queue.acquire(FROM))]);
    expect(queue.waiting()).to.equal(0);
    queue.release();
    await queue.acquire(FROM);
    await expectOverloaded(queue.acquire(FROM));
  });

  const flood = '2001:db8:0:1::1';
  const orders: [
    title: string,
    tasks: [name: string, address: string, isKnown?: boolean][],
    order: string[],
  ][] = [
    [
      'starts the tasks of one network in the order of arrival',
      [
        ['first', '198.18.0.1'],
        ['second', '198.18.0.1'],
      ],
      ['first', 'second'],
    ],
    [
      'starts one task of each network in turn',
      [
        ['a1', '198.18.0.1'],
        ['a2', '198.18.0.1'],
        ['a3', '198.18.0.1'],
        ['b1', '198.18.0.2'],
        ['b2', '198.18.0.2'],
        ['c1', '198.18.0.3'],
      ],
      ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'],
    ],
    [
      'gives an IPv6 /48 one turn',
      [
        ['a1', flood],
        ['a2', '2001:db8:0:2::1'],
        ['b1', '2001:db8:1::1'],
      ],
      ['a1', 'b1', 'a2'],
    ],
    [
      'starts the tasks of known devices first',
      [
        ['a1', '198.18.0.1'],
        ['known', '198.18.0.1', true],
        ['b1', '198.18.0.2'],
      ],
      ['known', 'a1', 'b1'],
    ],
  ];
  for (const [title, tasks, order] of orders)
    it(title, async () => {
      const { queue, add, runAll } = await useBusyQueue();
      for (const task of tasks) {
        void add(...task);
        await new Promise(setImmediate);
      }
      expect(queue.waiting()).to.equal(tasks.length);
      expect(await runAll()).to.deep.equal(order);
    });

  it('lets a network without a turn overtake those that wait for another one', async () => {
    const { queue, add, runAll } = await useBusyQueue();
    for (const [name, address] of [
      ['a1', '198.18.0.1'],
      ['b1', '198.18.0.2'],
    ] as const) {
      void add(name, address);
      await new Promise(setImmediate);
      queue.release();
    }
    void add('a2', '198.18.0.1');
    void add('b2', '198.18.0.2');
    void add('c1', '198.18.0.3');
    await new Promise(setImmediate);
    expect(await runAll()).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2']);
  });

  it('starts as many tasks of known devices at once as permits are theirs', async () => {
    const { queue, add, runAll } = await useBusyQueue({ permitsOfKnownDevices: 1 });
    const other = add('a1', '198.18.0.1');
    expect(await add('known', '198.18.0.1', true), 'is preferred').to.equal(true);
    void add('waits', '198.18.0.2', true);
    await new Promise(setImmediate);
    expect(queue.waiting()).to.equal(2);
    queue.release();
    expect(queue.waiting(), 'the second known device has started').to.equal(1);
    queue.release();
    expect(queue.waiting(), 'the permit of known devices is not for others').to.equal(1);
    expect(await runAll()).to.deep.equal(['known', 'waits', 'a1']);
    expect(await other, 'is preferred').to.equal(false);
  });

  it('makes room for another network or a known device in a full queue', async () => {
    const { queue, add, runAll } = await useBusyQueue({ maxWaiting: 3 });
    const flooding = ['a1', 'a2', 'a3'].map((name) => add(name, '198.18.0.1'));
    await new Promise(setImmediate);
    await expectOverloaded(add('a4', '198.18.0.1'));
    void add('b1', '198.18.0.2');
    await expectOverloaded(flooding[2]);
    await expectOverloaded(add('b2', '198.18.0.2'));
    void add('known', '198.18.0.2', true);
    await expectOverloaded(flooding[1]);
    expect(queue.waiting()).to.equal(3);
    expect(await runAll()).to.deep.equal(['known', 'a1', 'b1']);
  });
});
