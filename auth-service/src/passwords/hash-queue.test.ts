import { mock } from 'node:test';
import { AppError } from '@platform/shared/errors/app-error';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import { createHashQueue, type Permit } from './hash-queue.ts';

const FROM = { address: '198.18.0.1' };
const A = '198.18.0.1';
const B = '198.18.0.2';
const C = '198.18.0.3';

const expectOverloaded = async (acquired?: Promise<Permit>): Promise<void> => {
  const error = await getRejection(Promise.resolve(acquired));
  expect(error).to.be.instanceOf(AppError).and.include({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  expect(error).to.have.nested.property('headers.Retry-After');
};

/** The account of a known device and the signed-in user, if any. */
type Arrival = [name: string, address: string, knownAccountId?: string | undefined, userId?: string];

/** A queue whose only ordinary permit is taken. It records the order in which tasks start. */
const useBusyQueue = async ({ maxWaiting = 100, priorityPermits = 0 } = {}) => {
  const queue = createHashQueue({ permits: 1, priorityPermits, maxWaiting, maxWaitMilliseconds: 60_000 });
  const first = await queue.acquire(FROM);
  const started: string[] = [];
  const permits = [first];
  const add = (...[name, address, knownAccountId, userId]: Arrival) => {
    const acquired = queue.acquire({ address, knownAccountId, userId });
    const done = acquired.then((permit) => {
      started.push(name);
      permits.push(permit);
    });
    // The caller expects some of these errors later.
    done.catch(() => undefined);
    return acquired;
  };
  /** Ends the tasks one after another, the oldest first. */
  const runAll = async (): Promise<string[]> => {
    for (let permit = permits.shift(); permit; permit = permits.shift()) {
      permit.release();
      await new Promise(setImmediate);
    }
    return started;
  };
  return { queue, first, add, runAll, started };
};

describe('password hash queue', () => {
  it('rejects a task that waits too long, and does not count it afterwards', async () => {
    const queue = createHashQueue({
      ...{ permits: 1, priorityPermits: 0, maxWaiting: 2, maxWaitMilliseconds: 5 },
    });
    const { release } = await queue.acquire(FROM);
    await Promise.all([expectOverloaded(queue.acquire(FROM)), expectOverloaded(queue.acquire(FROM))]);
    expect(queue.waiting()).to.equal(0);
    release();
    await queue.acquire(FROM);
    await expectOverloaded(queue.acquire(FROM));
  });

  it('lets the hashes of one sign-in together wait as long as one', async () => {
    const queue = createHashQueue({
      ...{ permits: 1, priorityPermits: 0, maxWaiting: 2, maxWaitMilliseconds: 60_000 },
    });
    const requester = { ...FROM, requestedAt: performance.now() - 60_000 };
    const { release } = await queue.acquire(requester);
    await expectOverloaded(queue.acquire(requester));
    const patient = queue.acquire({ ...FROM, requestedAt: performance.now() - 30_000 });
    expect(queue.waiting()).to.equal(1);
    release();
    await patient;
  });

  const orders: [title: string, tasks: Arrival[], order: string[]][] = [
    [
      'starts the tasks of one network in the order of arrival',
      [
        ['first', A],
        ['second', A],
      ],
      ['first', 'second'],
    ],
    [
      'starts one task of each network in turn',
      [
        ['a1', A],
        ['a2', A],
        ['a3', A],
        ['b1', B],
        ['b2', B],
        ['c1', C],
      ],
      ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'],
    ],
    [
      'gives an IPv6 /48 one turn, and the /64 in it take turns',
      [
        ['a1', '2001:db8:0:1::1'],
        ['a2', '2001:db8:0:1::2'],
        ['a3', '2001:db8:0:2::1'],
        ['b1', '2001:db8:1::1'],
      ],
      ['a1', 'b1', 'a3', 'a2'],
    ],
    [
      'gives a signed-in user one turn, whatever the networks',
      [
        ['x1', A, undefined, 'user'],
        ['x2', B, undefined, 'user'],
        ['c1', C],
      ],
      ['x1', 'c1', 'x2'],
    ],
    [
      'starts a known device first, which is the turn of its network',
      [
        ['a1', A],
        ['known', A, 'account'],
        ['b1', B],
      ],
      ['known', 'b1', 'a1'],
    ],
    [
      'gives an account priority once a minute, and then the turn of its network',
      [
        ['a1', A],
        ['b1', B],
        ['known', B, 'account'],
        ['b2', B, 'account'],
        ['b3', B, 'account'],
      ],
      ['known', 'a1', 'b1', 'b2', 'b3'],
    ],
    [
      'gives an account priority once a minute, whatever its networks',
      [
        ['a1', A],
        ['known', B, 'account'],
        ['c1', C, 'account'],
      ],
      ['known', 'a1', 'c1'],
    ],
    [
      'lets known devices and others start alternately',
      [
        ['a1', A],
        ['a2', A],
        ['known 1', B, 'account 1'],
        ['known 2', B, 'account 2'],
        ['known 3', B, 'account 3'],
      ],
      ['known 1', 'a1', 'known 2', 'a2', 'known 3'],
    ],
    [
      'lets the networks of known devices take turns',
      [
        ['known a1', A, 'account 1'],
        ['known a2', A, 'account 2'],
        ['known b1', B, 'account 3'],
      ],
      ['known a1', 'known b1', 'known a2'],
    ],
  ];
  for (const [title, tasks, order] of orders)
    it(title, async () => {
      const { queue, add, runAll } = await useBusyQueue();
      for (const task of tasks) void add(...task);
      expect(queue.waiting()).to.equal(tasks.length);
      expect(await runAll()).to.deep.equal(order);
    });

  const networks: [title: string, toAddress: (index: number) => string, budget: number][] = [
    ['an IPv4 address', () => A, 5],
    ['an IPv6 /64', (index) => `2001:db8::${index}`, 5],
    ['an IPv6 /48', (index) => `2001:db8:0:${index}::1`, 40],
  ];
  for (const [title, toAddress, budget] of networks)
    it(`gives ${title} priority ${budget} times a minute`, async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        const queue = createHashQueue({
          ...{ permits: 100, priorityPermits: 0, maxWaiting: 1, maxWaitMilliseconds: 1 },
        });
        const hasPriority = async (index: number) =>
          (await queue.acquire({ address: toAddress(index), knownAccountId: `account ${index}` }))
            .hasPriority;
        for (let index = 0; index < budget; index += 1) expect(await hasPriority(index)).to.equal(true);
        expect(await hasPriority(budget)).to.equal(false);
        mock.timers.tick(60_000);
        expect(await hasPriority(budget), 'a minute later').to.equal(true);
      } finally {
        mock.timers.reset();
      }
    });

  it('lets a network without a turn overtake those that wait for another one', async () => {
    const { add, runAll, started } = await useBusyQueue();
    void add('a1', A);
    void add('b1', B);
    expect(await runAll()).to.deep.equal(['a1', 'b1']);
    started.length = 0;
    void add('next', FROM.address, 'account');
    for (const name of ['a2', 'b2', 'c1']) void add(name, { a2: A, b2: B }[name] ?? C);
    await new Promise(setImmediate);
    expect(await runAll()).to.deep.equal(['next', 'c1', 'a2', 'b2']);
  });

  it('starts as many tasks with priority at once as permits are theirs', async () => {
    const { queue, first, add, started } = await useBusyQueue({ priorityPermits: 1 });
    const other = add('a1', A);
    const known = await add('known', A, 'account 1');
    expect(known.hasPriority).to.equal(true);
    void add('waits', B, 'account 2');
    expect(queue.waiting()).to.equal(2);
    known.release();
    await new Promise(setImmediate);
    expect(started, 'the permit of known devices is not for others').to.deep.equal(['known', 'waits']);
    first.release();
    expect((await other).hasPriority).to.equal(false);
  });

  it('rejects the task that would start last when the queue is full', async () => {
    const { queue, add, runAll } = await useBusyQueue({ maxWaiting: 3 });
    const flooding = ['a1', 'a2', 'a3'].map((name) => add(name, A));
    await expectOverloaded(add('a4', A));
    void add('b1', B);
    await expectOverloaded(flooding[2]);
    await expectOverloaded(add('b2', B));
    void add('known', B, 'account');
    await expectOverloaded(flooding[1]);
    expect(queue.waiting()).to.equal(3);
    expect(await runAll()).to.deep.equal(['known', 'a1', 'b1']);
  });

  it('makes room for a network without a turn when each network has one task', async () => {
    const { add, runAll, started } = await useBusyQueue({ maxWaiting: 2 });
    void add('a1', A);
    void add('b1', B);
    await runAll();
    started.length = 0;
    void add('next', FROM.address, 'account');
    void add('a2', A);
    const latest = add('b2', B);
    void add('c1', C);
    await expectOverloaded(latest);
    expect(await runAll()).to.deep.equal(['next', 'c1', 'a2']);
  });

  it('makes room for others when known devices fill the queue', async () => {
    const { add, runAll } = await useBusyQueue({ maxWaiting: 2 });
    void add('known 1', A, 'account 1');
    const last = add('known 2', A, 'account 2');
    void add('b1', B);
    await expectOverloaded(last);
    expect(await runAll()).to.deep.equal(['known 1', 'b1']);
  });
});
