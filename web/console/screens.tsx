import { lazyComponent } from '../components/lazy-component.ts';
import { administratorName } from '../own-account/administrator-name.ts';
import '../components/lists/return-to-row.ts';
import type { AdministratorUser } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { ErrorBoundary } from '../components/frame/error-boundary.tsx';
import { LazyDialog } from '../components/frame/lazy-dialog.tsx';
import { PageMissing } from '../components/frame/page-missing.tsx';
import { type EntryGroup, SideBarFrame } from '../components/frame/side-bar-frame.tsx';
import { OverviewIcon } from '../components/icons.tsx';
import { areShortcutsOn, type Places, saveShortcutsOn, useShortcuts } from '../components/keys/shortcuts.ts';
import { WaitingForScreen } from '../components/waiting.tsx';
import { useWords } from '../words/words.ts';
import { ADMIN_SCREENS, listAdminGroups, listAdminPlaces } from './administration.tsx';
import { backOffice } from './back-office.ts';
import { OWN_ACCOUNT_PATH } from './places.ts';
import { Palette, SearchButton, SearchIconButton } from './search/search-entry.tsx';
import { useWaiting } from './statistics.ts';
import { useVisit } from './visit.ts';
import { CONSOLE } from './words.ts';

// Each screen is loaded when it is opened.
const Workspace = lazyComponent(() => import('./workspace/workspace.tsx'), 'Workspace');
const OnlyAdministrators = lazyComponent(() => import('./workspace/workspace.tsx'), 'OnlyAdministrators');
const OwnAccount = lazyComponent(() => import('../own-account/own-account.tsx'), 'OwnAccount');
// The help is loaded at the first `?`.
const ShortcutsDialog = lazyComponent(
  () => import('../components/frame/shortcuts-dialog.tsx'),
  'ShortcutsDialog',
);

/** The name that colleagues see; null without one. If not enabled, it returns what was loaded before. */
export const useOwnName = ({ enabled = true } = {}): string | null =>
  useQuery({ ...administratorName(backOffice), enabled }).data?.name ?? null;

/** The side bar of a role. */
const useGroups = (user: AdministratorUser): EntryGroup[] => {
  const words = useWords(CONSOLE);
  const waiting = useWaiting(user);
  if (user.platformRole === 'ADMIN') return listAdminGroups(words, waiting);
  const home = { href: '/', label: words.home, icon: <OverviewIcon /> };
  return [{ label: words.groups.work, entries: [home] }];
};

const listPlaces = (words: (typeof CONSOLE)['en'], { platformRole }: AdministratorUser): Places => ({
  ...(platformRole === 'ADMIN' && listAdminPlaces(words)),
  a: { href: OWN_ACCOUNT_PATH, label: words.yourAccount },
});

/** The side bar, and the screen of the address. */
export const Screens = ({ user }: { user: AdministratorUser }) => {
  const words = useWords(CONSOLE);
  const [location] = useLocation();
  const role = user.platformRole;
  const places = listPlaces(words, user);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [areKeysOn, setKeysOn] = useState(areShortcutsOn);
  const showHelp = () => setHelpOpen(true);
  const hideHelp = () => setHelpOpen(false);
  useVisit(user.id);
  const isAdmin = role === 'ADMIN';
  const [isSearching, setSearching] = useState(false);
  const search = () => setSearching(true);
  useShortcuts({ isOn: areKeysOn, places, showHelp, search: isAdmin ? search : undefined });
  return (
    <SideBarFrame
      groups={useGroups(user)}
      name={useOwnName()}
      email={user.email}
      roleName={words.roles[role ?? ''] ?? ''}
      accountHref={OWN_ACCOUNT_PATH}
      onShortcuts={showHelp}
      onSignOut={() => backOffice.signOut()}
      search={isAdmin && <SearchButton onOpen={search} />}
      searchIcon={isAdmin && <SearchIconButton onOpen={search} />}
    >
      <Palette isOpen={isSearching} onClose={() => setSearching(false)} places={places} />
      {isHelpOpen && (
        <LazyDialog onClose={hideHelp}>
          <ShortcutsDialog
            onClose={hideHelp}
            places={places}
            isOn={areKeysOn}
            onSwitch={(isOn) => {
              setKeysOn(isOn);
              saveShortcutsOn(isOn);
            }}
            hasLists={isAdmin}
          />
        </LazyDialog>
      )}
      {/* A screen that failed does not keep the next one from being shown. */}
      <ErrorBoundary key={location}>
        <Suspense fallback={<WaitingForScreen />}>
          <Switch>
            {isAdmin &&
              ADMIN_SCREENS.map(([path, Screen]) => <Route key={path} path={path} component={Screen} />)}
            {(role === 'OPERATOR' || role === 'ARBITER') &&
              ADMIN_SCREENS.filter(([path]) => path !== '/').map(([path]) => (
                <Route key={path} path={path} component={OnlyAdministrators} />
              ))}
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
