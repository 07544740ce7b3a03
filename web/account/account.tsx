import { Suspense } from 'react';
import { Router, useLocation } from 'wouter';
import { lazyComponent } from '../components/lazy-component.ts';
import { WaitingForScreen } from '../components/waiting.tsx';
import { KindPages } from './kind-pages.tsx';
import { ACCOUNT_KINDS } from './kinds.ts';

const PagesWithoutKind = lazyComponent(() => import('./pages-without-kind.tsx'), 'PagesWithoutKind');

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
    <Suspense fallback={<WaitingForScreen />}>
      <PagesWithoutKind />
    </Suspense>
  );
};
