import { type ErrorCode, isPlatformError } from '@platform/client';
import type { ReactNode } from 'react';
import { Page } from './page.tsx';
import { Empty, QueryError, type QueryState, Skeleton } from './states.tsx';

type UnavailablePageProps = {
  query: QueryState;
  title: string;
  /** The list that the record is in. */
  list: readonly [label: string, href: string];
  /** The code of a record that does not exist. An id that is none cannot exist either. */
  missingCode: ErrorCode;
  words: { missing: string; missingHint: string };
  /** Where to look instead. */
  action: ReactNode;
};

/** In place of a page whose record is missing, could not be loaded, or is not there yet. */
export const UnavailablePage = ({ query, title, list, missingCode, words, action }: UnavailablePageProps) => {
  const isMissing = isPlatformError(query.error, missingCode, 'VALIDATION_FAILED');
  return (
    <Page title={isMissing ? words.missing : title} breadcrumbs={[list]}>
      {isMissing ? <Empty action={action}>{words.missingHint}</Empty> : <QueryError query={query} />}
      {query.error == null && <Skeleton />}
    </Page>
  );
};
