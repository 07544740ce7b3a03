import { type Database, query } from '@platform/shared/db/database';

type Row = { network: string };

export const createNetworkStore = (database: Database) => {
  const run = async (name: string, text: string, values: string[]): Promise<string[]> =>
    (await query<Row>(database, { name: `test-bench-${name}`, text, values })).map(({ network }) => network);
  return {
    /** The label's own network, then the others in the order in which they were added. */
    list: (label: string) =>
      run('list-networks', 'select network from test_bench.networks where label = $1 order by id', [label]),
    /** Skips those that are in use, because the numbers begin again at the end. */
    add: async (label: string): Promise<string> => {
      const text = `insert into test_bench.networks (label, network)
        values ($1, host('198.18.0.0'::inet + nextval('test_bench.network_numbers')))
        on conflict do nothing returning network`;
      for (;;) {
        const [added] = await run('add-network', text, [label]);
        if (added !== undefined) return added;
      }
    },
    remove: (label: string) =>
      run('remove-networks', 'delete from test_bench.networks where label = $1 returning network', [label]),
  };
};

export type NetworkStore = ReturnType<typeof createNetworkStore>;
