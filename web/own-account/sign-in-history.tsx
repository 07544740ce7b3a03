import type { RecordedSignIn } from '@platform/client';
import { listSignIns } from '@platform/client/account';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { ChevronIcon } from '../components/icons.tsx';
import { QueryError } from '../components/states.tsx';
import { usePlatform } from '../session/platform.ts';
import { describeMethods, nameOfDevice } from '../words/device.ts';
import { formatLongDay, formatTime } from '../words/formats.ts';
import { useKindName } from '../words/kind-names.ts';
import { useWords } from '../words/words.ts';
import { HistoryIcon } from './account-icons.tsx';
import { SIGN_INS, useNameOfProvider } from './queries.ts';
import { OWN_ACCOUNT } from './words.ts';

const SignIn = ({ entry }: { entry: RecordedSignIn }) => {
  const words = useWords(OWN_ACCOUNT);
  const nameOfProvider = useNameOfProvider();
  const { kind } = usePlatform();
  const kindName = useKindName(entry.kind);
  const hasSucceeded = entry.result === 'SIGNED_IN';
  const result = hasSucceeded
    ? describeMethods(entry, nameOfProvider)
    : (words.results[entry.result] ?? words.failed);
  return (
    <li>
      <time className="muted" dateTime={entry.at}>
        {formatTime(new Date(entry.at))}
      </time>
      <span>
        {nameOfDevice(entry)} <span className="muted">{entry.ip}</span>
      </span>
      <span className={hasSucceeded ? 'muted' : 'history-failure'}>
        {result}
        {entry.kind !== kind && ` (${kindName})`}
      </span>
    </li>
  );
};

const useSignIns = (isEnabled: boolean) => {
  const { client } = usePlatform();
  return useInfiniteQuery({
    queryKey: SIGN_INS,
    queryFn: ({ signal, pageParam }) => listSignIns(client, { signal, cursor: pageParam, perPage: 10 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: isEnabled,
  });
};

/** Loaded when it is opened: few people look at it, and each look reads the audit log. */
export const SignInHistory = () => {
  const words = useWords(OWN_ACCOUNT);
  const [isOpen, setOpen] = useState(false);
  const query = useSignIns(isOpen);
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const days = Map.groupBy(entries, ({ at }) => formatLongDay(new Date(at)));
  return (
    <details className="history" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="item-summary">
        <HistoryIcon />
        {words.history}
        <ChevronIcon />
      </summary>
      <div className="history-list">
        <QueryError query={query} />
        {[...days].map(([day, ofDay]) => (
          <section key={day}>
            <h3 className="history-day">{day}</h3>
            <ul>
              {ofDay.map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two may have happened at once; the list only grows.
                <SignIn key={`${entry.at}${index}`} entry={entry} />
              ))}
            </ul>
          </section>
        ))}
        {query.hasNextPage && (
          <Button look="link" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.olderSignIns}
          </Button>
        )}
      </div>
    </details>
  );
};
