import { toClientNetworks } from '@platform/shared/network/client-address';

/** The networks and users whose last turn is remembered. */
const MAX_REMEMBERED = 10_000;

/** The network and user that a task comes from. */
export type Origin = {
  /** The IPv4 address, or the /64 of an IPv6 address. */
  network: string;
  /** The /48 of an IPv6 address. It shares one turn, because an attacker may own all of its 65,536 networks. */
  widerNetwork: string;
  /** The signed-in user, whose networks share one turn. Undefined for strangers. */
  userId?: string | undefined;
};

export const toOrigin = (address: string): Origin => {
  const [network, widerNetwork = network] = toClientNetworks(address);
  return { network, widerNetwork };
};

/** Orders tasks: the first one of each network, the one with the oldest turn first, then the second ones. */
const interleave = <Task extends Origin>(
  tasks: readonly Task[],
  groupBy: 'network' | 'widerNetwork',
  lastTurnOf: (groups: readonly (string | undefined)[]) => number,
): Task[] => {
  const groups = [...Map.groupBy(tasks, (task) => task[groupBy]).values()];
  const ranked = groups.flatMap((members) =>
    members.map((task, rank) => ({ task, rank, lastTurn: lastTurnOf([task[groupBy], task.userId]) })),
  );
  ranked.sort((one, other) => one.rank - other.rank || one.lastTurn - other.lastTurn);
  return ranked.map(({ task }) => task);
};

/** Remembers who had the last turns, in whichever line: a network that has just had one is no newcomer in the other. */
export const createTurns = () => {
  /** The number of the last turn of each network and user, the longest ago first. */
  const lastTurns = new Map<string, number>();
  let turns = 0;
  return {
    /** The latest turn of any of them. */
    lastOf: (groups: readonly (string | undefined)[]): number =>
      Math.max(...groups.map((group) => (group === undefined ? 0 : (lastTurns.get(group) ?? 0)))),
    count: ({ network, widerNetwork, userId }: Origin): void => {
      turns += 1;
      for (const group of new Set([network, widerNetwork, ...(userId === undefined ? [] : [userId])])) {
        lastTurns.delete(group);
        lastTurns.set(group, turns);
        const [oldest] = lastTurns.keys();
        if (lastTurns.size > MAX_REMEMBERED && oldest !== undefined) lastTurns.delete(oldest);
      }
    },
  };
};

/**
 * Waiting tasks, in the order in which they will start: one of each client network, and within an IPv6 /48
 * one of each /64. The network whose last turn is the longest ago is first, so that a person whose network
 * has had none yet does not wait for a turn of each attacker.
 */
export const createRoundRobin = <Task extends Origin>(turns = createTurns()) => {
  const tasks = new Set<Task>();

  const inOrder = (): Task[] =>
    interleave(interleave([...tasks], 'network', turns.lastOf), 'widerNetwork', turns.lastOf);

  return {
    size: (): number => tasks.size,
    add: (task: Task): void => void tasks.add(task),
    remove: (task: Task): void => void tasks.delete(task),
    /** Takes the turn of the first task and returns it. */
    takeFirst: (): Task | undefined => {
      const [first] = inOrder();
      if (first) turns.count(first);
      return first;
    },
    /** The task that would start last. */
    last: (): Task | undefined => inOrder().at(-1),
  };
};
