import { QueryClientProvider, useIsFetching, useIsMutating } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePlatform } from '../session/platform.ts';
import { queriesOf } from '../session/queries.ts';
import { Bar } from './waiting.tsx';

/** Something is loaded or sent. */
const WaitingBar = () => {
  const requests = useIsFetching() + useIsMutating();
  return <Bar isBusy={requests > 0} />;
};

/** The queries and mutations of all pages of a client. */
export const WithQueries = ({ children }: { children: ReactNode }) => {
  const { client } = usePlatform();
  return (
    <QueryClientProvider client={queriesOf(client)}>
      <WaitingBar />
      {children}
    </QueryClientProvider>
  );
};
