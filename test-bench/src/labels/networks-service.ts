import type { NetworkStore } from './networks-store.ts';

/** The client networks of labels. Each request through the proxy needs them, so they are kept in memory. */
export const createNetworkService = (store: NetworkStore) => {
  const known = new Map<string, string[]>();
  const loading = new Map<string, Promise<string[]>>();

  const load = async (label: string): Promise<string[]> => {
    const stored = await store.list(label);
    const networks = stored.length > 0 ? stored : [await store.add(label)];
    known.set(label, networks);
    return networks;
  };

  /** Requests that arrive at the same time share one lookup, because a label has one network of its own. */
  const list = async (label: string): Promise<string[]> => {
    const pending = loading.get(label) ?? load(label).finally(() => loading.delete(label));
    loading.set(label, pending);
    return await pending;
  };

  return {
    /** The networks of a label, its own one first; undefined before `list` has read them. */
    find: (label: string): readonly string[] | undefined => known.get(label),
    /** A label without a network gets one. */
    list: async (label: string): Promise<readonly string[]> => known.get(label) ?? (await list(label)),
    /** Adds a network from which no request has come yet. */
    add: async (label: string): Promise<string> => {
      const networks = known.get(label) ?? (await list(label));
      const added = await store.add(label);
      networks.push(added);
      return added;
    },
    remove: async (label: string): Promise<void> => {
      known.delete(label);
      await store.remove(label);
    },
  };
};

export type NetworkService = ReturnType<typeof createNetworkService>;
