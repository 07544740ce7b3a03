import { usePlatformSession } from '@platform/client/react';
import { Link, Redirect, Route, Switch } from 'wouter';
import { Address } from '../components/address.tsx';
import { RightIcon } from '../components/icons.tsx';
import { PersonMark } from '../components/person-mark.tsx';
import { useKindName } from '../words/kind-names.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { KINDS } from './kind-words.ts';
import { ACCOUNT_KINDS, type AccountKind, getPlatform } from './kinds.ts';
import { MissingPage } from './missing-page.tsx';

type ChooseKindProps = { page: '/' | '/change-password' };

/** The whole row is the link, with the address of who is signed in. */
const KindLink = ({ kind, page }: ChooseKindProps & { kind: AccountKind }) => {
  const words = useWords(KINDS);
  const name = useKindName(kind);
  const { user } = usePlatformSession(getPlatform(kind).client);
  return (
    <Link href={`/${kind}${page}`} className="person person-link">
      <PersonMark name={user?.email ?? name} />
      <span className="person-text">
        <span className="strong">{name}</span>
        <span className="muted small">{user ? <Address of={user.email} /> : words.notSignedIn}</span>
      </span>
      <RightIcon />
    </Link>
  );
};

const useIsSignedIn = (kind: AccountKind): boolean =>
  usePlatformSession(getPlatform(kind).client).status === 'signed-in';

/** Leads to the page of the kind that is signed in; else, or with both, asks which. */
const ChooseKind = ({ page }: ChooseKindProps) => {
  const words = useWords(KINDS);
  const isCustomer = useIsSignedIn('customer');
  const isEmployee = useIsSignedIn('employee');
  if (isCustomer !== isEmployee)
    return <Redirect to={`/${isCustomer ? 'customer' : 'employee'}${page}`} replace />;
  return card(
    words.chooseKind,
    <>
      <p className="lead">{page === '/' ? words.chooseKindHint : words.chooseKindOfPassword}</p>
      <div className="stack-small">
        {ACCOUNT_KINDS.map((kind) => (
          <KindLink key={kind} kind={kind} page={page} />
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
