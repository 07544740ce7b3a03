import { type ErrorCode, isPlatformError } from '@platform/client';
import type { ReactNode } from 'react';
import { Empty, QueryError, type QueryState } from '../states.tsx';
import { Page } from './page.tsx';

type UnavailablePageProps = {
  query: QueryState;
  title: string;
  /** The name of the record, if a list had it. */
  known?: string | undefined;
  /** An element before the name, such as initials. */
  mark?: ReactNode;
  /** The headings and grey bars are shown while the page loads. */
  shape: ReactNode;
  /** The list that the record is in. */
  list: readonly [label: string, href: string];
  /** The code of a record that does not exist. An id that is none cannot exist either. */
  missingCode: ErrorCode;
  words: { missing: string; missingHint: string };
  /** The button that leads to where to look instead. */
  action: ReactNode;
};

/** Replaces a page whose record is missing, could not be loaded, or is not loaded yet. */
export const UnavailablePage = (props: UnavailablePageProps) => {
  const { query, title, known, mark, shape, list, missingCode, words, action } = props;
  const isMissing = isPlatformError(query.error, missingCode, 'VALIDATION_FAILED');
  return (
    <Page
      title={isMissing ? words.missing : title}
      heading={isMissing ? undefined : known}
      mark={!isMissing && mark}
      breadcrumbs={[list]}
    >
      {isMissing ? <Empty action={action}>{words.missingHint}</Empty> : <QueryError query={query} />}
      {query.error == null && shape}
    </Page>
  );
};
