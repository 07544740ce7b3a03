import { AppError } from '@platform/shared/errors/app-error';
import type { HashRequester } from './password.ts';
import { createPriorityBudget } from './priority-budget.ts';
import { createRoundRobin, createTurns, type Origin, toOrigin } from './round-robin.ts';

type Options = {
  permits: number;
  /** Further permits, for tasks with priority alone. */
  priorityPermits: number;
  maxWaiting: number;
  maxWaitMilliseconds: number;
};

type Class = 'priority' | 'ordinary';
type Task = Origin & { start: (permit: Class) => void; reject: () => void };

export type Permit = {
  hasPriority: boolean;
  /** Starts the next task. */
  release: () => void;
};

/** 503, as its own type, so that a caller can skip a hash that is not urgent. */
export class HashQueueOverload extends AppError {
  constructor() {
    const headers = { 'Retry-After': '1' };
    super('SERVICE_UNAVAILABLE', 503, 'Too many concurrent sign-ins; retry later.', { headers });
  }
}

/**
 * Limits the number of concurrent tasks. Known devices have priority within their budget, and in each class
 * the networks take turns. While both classes wait, ordinary permits alternate between them, so that neither
 * takes all. In a full queue, the task that would start last is rejected, which can be the new one. A task
 * that waits too long leaves the queue here, because aborting it in the pool would end the thread of a task
 * that has begun.
 */
export const createHashQueue = ({ permits, priorityPermits, maxWaiting, maxWaitMilliseconds }: Options) => {
  const turns = createTurns();
  const waiting = { priority: createRoundRobin<Task>(turns), ordinary: createRoundRobin<Task>(turns) };
  const free = { priority: priorityPermits, ordinary: permits };
  const budget = createPriorityBudget();
  /** The class of the task that got the last ordinary permit from the queue. */
  let latest: Class = 'ordinary';

  const countWaiting = (): number => waiting.priority.size() + waiting.ordinary.size();

  const takeNext = (permit: Class): Task | undefined => {
    if (permit === 'priority') return waiting.priority.takeFirst();
    const other = latest === 'ordinary' ? 'priority' : 'ordinary';
    if (waiting[other].size() > 0) latest = other;
    return waiting[latest].takeFirst();
  };

  const toPermit = (permit: Class, taskClass: Class): Permit => ({
    hasPriority: taskClass === 'priority',
    release: () => {
      const next = takeNext(permit);
      if (next) next.start(permit);
      else free[permit] += 1;
    },
  });

  const rejectLast = (): void => {
    const { priority, ordinary } = waiting;
    const longer = priority.size() > ordinary.size() ? priority : ordinary;
    longer.last()?.reject();
  };

  const wait = (taskClass: Class, { address, userId, requestedAt }: HashRequester): Promise<Class> =>
    new Promise((resolve, reject) => {
      const waited = requestedAt === undefined ? 0 : performance.now() - requestedAt;
      if (waited >= maxWaitMilliseconds) throw new HashQueueOverload();
      const leave = (): void => {
        clearTimeout(timer);
        waiting[taskClass].remove(task);
      };
      const task: Task = {
        ...toOrigin(address),
        userId,
        start: (permit) => {
          leave();
          resolve(permit);
        },
        reject: () => {
          leave();
          reject(new HashQueueOverload());
        },
      };
      const timer = setTimeout(task.reject, maxWaitMilliseconds - waited);
      waiting[taskClass].add(task);
      if (countWaiting() > maxWaiting) rejectLast();
    });

  return {
    /** @throws HashQueueOverload */
    acquire: async (requester: HashRequester): Promise<Permit> => {
      const taskClass = budget.spend(requester) ? 'priority' : 'ordinary';
      const usable: Class = taskClass === 'priority' && free.priority > 0 ? 'priority' : 'ordinary';
      if (free[usable] === 0) return toPermit(await wait(taskClass, requester), taskClass);
      free[usable] -= 1;
      return toPermit(usable, taskClass);
    },

    waiting: countWaiting,
  };
};
