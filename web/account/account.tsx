import { Route, Router, Switch, useLocation } from 'wouter';
import { PageMissing } from '../components/page-missing.tsx';
import { ChooseKind } from './choose-kind.tsx';
import { KindPages } from './kind-pages.tsx';
import { ACCOUNT_KINDS } from './kinds.ts';

/** The pages below `/account/`: those of each kind, and those that ask for the kind. */
export const Account = () => {
  const [location] = useLocation();
  const kind = ACCOUNT_KINDS.find((known) => `${location}/`.startsWith(`/${known}/`));
  if (kind)
    return (
      <Router key={kind} base={`/${kind}`}>
        <KindPages kind={kind} />
      </Router>
    );
  return (
    <Switch>
      <Route path="/">
        <ChooseKind page="/" />
      </Route>
      <Route path="/change-password">
        <ChooseKind page="/change-password" />
      </Route>
      <Route>
        <PageMissing />
      </Route>
    </Switch>
  );
};
