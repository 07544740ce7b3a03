import { QueryClientProvider, useIsFetching, useIsMutating } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { usePlatform } from '../session/platform.ts';
import { createQueryClient } from '../session/queries.ts';
import { Bar } from './waiting.tsx';

/** The bar of the page, while something is loaded or sent. */
const WaitingBar = () => {
  const requests = useIsFetching() + useIsMutating();
  return <Bar isBusy={requests > 0} />;
};

/** The queries and mutations of all pages of a client. */
export const WithQueries = ({ children }: { children: ReactNode }) => {
  const { client } = usePlatform();
  const [queries] = useState(createQueryClient);
  useEffect(() => {
    let owner = client.getSnapshot().user?.id;
    return client.on('signed-in', ({ user: { id } }) => {
      if (id !== owner) queries.removeQueries({ type: 'inactive' });
      owner = id;
      // Queries that failed without a session are sent now, after a sign-in in any tab.
      void queries.invalidateQueries();
    });
  }, [client, queries]);
  return (
    <QueryClientProvider client={queries}>
      <WaitingBar />
      {children}
    </QueryClientProvider>
  );
};
