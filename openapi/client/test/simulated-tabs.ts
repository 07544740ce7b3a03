import { createDevice } from '../src/device.ts';
import { findEvents, type SessionEvents } from '../src/session-events.ts';
import { createSessionState, type Message } from '../src/session-state.ts';
import type { TabListeners } from '../src/tab-channel.ts';

/** A report of a tab: the session that begins, or why it ended. */
type Report = ['signed-in', sessionId: string] | ['signed-out', reason: string];
/** An event of the browser that can happen now; the test chooses the order. */
type Step = { name: string; run: () => void };

type Process = { messages: Message[]; writes: string[]; steps: () => Step[] };

const KIND = 'customer';

/**
 * The storage and the channel of tabs in separate processes. Each process has a copy of the storage. A write
 * reaches the browser, and from there the other processes, at any later time. Messages travel independently.
 * Both keep their order.
 */
export const createSimulatedBrowser = () => {
  let stored: string | null = null;
  const processes: Process[] = [];

  const openTab = (name: string) => {
    let copy = stored;
    let listeners: TabListeners<Message> | undefined;
    const commits: string[] = [];
    const writes: string[] = [];
    const messages: Message[] = [];
    const reports: Report[] = [];
    const others = () => processes.filter((other) => other.messages !== messages);
    const device = createDevice(
      {
        getItem: () => copy,
        setItem: (_key, text) => {
          copy = text;
          commits.push(text);
        },
      },
      KIND,
      'device',
    );
    const state = createSessionState({
      device,
      connect: (_fingerprint, connected) => {
        listeners = connected;
        const post = (message: Message) => {
          for (const other of others()) other.messages.push(structuredClone(message));
          return true;
        };
        return { post, close: () => undefined };
      },
      onChange: (before, now) => {
        for (const [name, event] of findEvents(before, now))
          if (name === 'signed-out') reports.push([name, (event as SessionEvents['signed-out']).reason]);
          else if (name === 'signed-in')
            reports.push([name, (event as SessionEvents['signed-in']).session.id]);
      },
    });
    const queue = <Item>(items: Item[], label: string, run: (item: Item) => void): Step[] =>
      items.length === 0 ? [] : [{ name: `${name} ${label}`, run: () => run(items.shift() as Item) }];
    const tab = {
      name,
      state,
      opened: state.knownSessionId(),
      reports,
      messages,
      writes,
      steps: (): Step[] => [
        ...queue(commits, 'write reaches the browser', (text) => {
          stored = text;
          for (const other of others()) other.writes.push(text);
        }),
        ...queue(writes, 'sees a write', (text) => {
          copy = text;
          listeners?.onStored(text);
        }),
        ...queue(messages, 'gets a message', (message) => {
          listeners?.onMessage(message);
        }),
      ],
    };
    processes.push(tab);
    return tab;
  };

  const steps = (): Step[] => processes.flatMap((process) => process.steps());
  return {
    openTab,
    steps,
    stored: () => createDevice({ getItem: () => stored, setItem: () => undefined }, KIND).parse(stored),
    settle: (): void => {
      for (let [next] = steps(); next; [next] = steps()) next.run();
    },
  };
};

export type SimulatedTab = ReturnType<ReturnType<typeof createSimulatedBrowser>['openTab']>;

/**
 * Runs `explore` once for each possible sequence of choices; `choose` returns an index below the given count.
 */
export const forEachInterleaving = (explore: (choose: (count: number) => number) => void): number => {
  let runs = 0;
  let path: { index: number; count: number }[] = [];
  do {
    let depth = 0;
    explore((count) => {
      path[depth] ??= { index: 0, count };
      const { index } = path[depth] as { index: number };
      depth += 1;
      return index;
    });
    runs += 1;
    path = path.slice(0, depth);
    for (let last = path.at(-1); last && last.index + 1 >= last.count; last = path.at(-1)) path.pop();
    const last = path.at(-1);
    if (last) last.index += 1;
  } while (path.length > 0);
  return runs;
};
