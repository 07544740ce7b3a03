import { usePlatformSession } from '@platform/client/react';
import { Link, Redirect, Route, Switch } from 'wouter';
import { useWords } from '../words/words.ts';
import { KINDS } from './kind-words.ts';
import { ACCOUNT_KINDS, getPlatform } from './kinds.ts';
import { MissingPage } from './missing-page.tsx';
import { card } from './sign-in-page.tsx';

const useIsSignedIn = (kind: (typeof ACCOUNT_KINDS)[number]): boolean =>
  usePlatformSession(getPlatform(kind).client).status === 'signed-in';

/** Leads to the page of the kind that is signed in; else, or with both, asks which. */
const ChooseKind = ({ page }: { page: '/' | '/change-password' }) => {
  const words = useWords(KINDS);
  const isCustomer = useIsSignedIn('customer');
  const isEmployee = useIsSignedIn('employee');
  if (isCustomer !== isEmployee)
    return <Redirect to={`/${isCustomer ? 'customer' : 'employee'}${page}`} replace />;
  return card(
    words.chooseKind,
    <>
      <p className="muted">{words.chooseKindHint}</p>
      <div className="stack-small">
        {ACCOUNT_KINDS.map((kind) => (
          <Link key={kind} href={`/${kind}${page}`} className="button button-wide">
            {words[kind]}
          </Link>
        ))}
      </div>
    </>,
  );
};

/** Pages that ask for the kind of account. */
export const PagesWithoutKind = () => (
  <Switch>
    <Route path="/">
      <ChooseKind page="/" />
    </Route>
    <Route path="/change-password">
      <ChooseKind page="/change-password" />
    </Route>
    <Route>
      <MissingPage />
    </Route>
  </Switch>
);
