import { QueryClientContext, QueryClientProvider, useIsFetching, useIsMutating } from '@tanstack/react-query';
import { type ReactNode, useContext } from 'react';
import { usePlatform } from '../session/platform.ts';
import { queriesOf } from '../session/queries.ts';
import { Bar } from './waiting.tsx';

/** Something is loaded or sent. */
const WaitingBar = () => {
  const requests = useIsFetching() + useIsMutating();
  return <Bar isBusy={requests > 0} />;
};

/** For what is loaded after a sign-in page, which has no queries. Inside of another one, it changes nothing. */
export const WithQueries = ({ children }: { children: ReactNode }) => {
  const { client } = usePlatform();
  if (useContext(QueryClientContext)) return children;
  return (
    <QueryClientProvider client={queriesOf(client)}>
      <WaitingBar />
      {children}
    </QueryClientProvider>
  );
};
