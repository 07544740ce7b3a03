import './console.css';
import './blocks.css';
import type { AdministratorUser } from '@platform/client';
import { lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { InboxIcon, UserIcon } from '../components/icons.tsx';
import { PageMissing } from '../components/page-missing.tsx';
import { type Places, Shortcuts } from '../components/shortcuts.tsx';
import { type Entry, NavLink, SideBarFrame } from '../components/side-bar-frame.tsx';
import { WaitingForScreen } from '../components/waiting.tsx';
import { useWords } from '../words/words.ts';
import { ADMIN_SCREENS, listAdminEntries, listAdminPlaces } from './administration.tsx';
import { backOffice } from './back-office.ts';
import { OWN_ACCOUNT_PATH } from './places.ts';
import { CONSOLE } from './words.ts';

// Each screen is loaded when it is opened.
const Workspace = lazy(async () => ({ default: (await import('./workspace/workspace.tsx')).Workspace }));
const OwnAccount = lazy(async () => ({
  default: (await import('../own-account/own-account.tsx')).OwnAccount,
}));

type Words = (typeof CONSOLE)['en'];

/** The screens of a role, in the order of the side bar. */
const listEntries = (words: Words, { platformRole }: AdministratorUser): Entry[] =>
  platformRole === 'ADMIN'
    ? listAdminEntries(words)
    : [{ href: '/', label: words.workspace, icon: <InboxIcon /> }];

const listPlaces = (words: Words, { platformRole }: AdministratorUser): Places => ({
  ...(platformRole === 'ADMIN' && listAdminPlaces(words)),
  a: { href: OWN_ACCOUNT_PATH, label: words.places.account },
});

/** The side bar, and the screen of the address. */
export const Screens = ({ user }: { user: AdministratorUser }) => {
  const words = useWords(CONSOLE);
  const [location] = useLocation();
  const role = user.platformRole;
  const foot = (
    <>
      <Shortcuts places={listPlaces(words, user)} />
      <NavLink href={OWN_ACCOUNT_PATH} label={words.yourAccount} icon={<UserIcon />} />
    </>
  );
  return (
    <SideBarFrame
      entries={listEntries(words, user)}
      email={user.email}
      onSignOut={() => backOffice.signOut()}
      foot={foot}
    >
      {/* A screen that failed does not keep the next one from being shown. */}
      <ErrorBoundary key={location}>
        <Suspense fallback={<WaitingForScreen />}>
          <Switch>
            {role === 'ADMIN' &&
              ADMIN_SCREENS.map(([path, Screen]) => <Route key={path} path={path} component={Screen} />)}
            {(role === 'OPERATOR' || role === 'ARBITER') && (
              <Route path="/">
                <Workspace user={user} role={role} />
              </Route>
            )}
            <Route path={OWN_ACCOUNT_PATH}>
              <OwnAccount />
            </Route>
            <Route>
              <PageMissing />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </SideBarFrame>
  );
};
