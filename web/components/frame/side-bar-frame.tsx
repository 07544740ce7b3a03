import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { getSettings } from '../../page/settings.ts';
import { COMMON } from '../../words/common.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { CloseIcon, MenuIcon } from '../icons.tsx';
import { useKeptFocus } from '../keys/kept-focus.ts';
import { ErrorNotice } from '../notice.tsx';
import { AccountMenu, type AccountMenuProps } from './account-menu.tsx';
import { Drawer } from './drawer.tsx';
import { Product } from './product.tsx';
import { SkipLink } from './skip-link.tsx';

export type Entry = {
  href: string;
  label: string;
  icon: ReactNode;
  /** How many items wait there for somebody; nothing is shown for 0. */
  waiting?: number | undefined;
};
export type EntryGroup = { label: string; entries: readonly Entry[] };

type FrameProps = Pick<AccountMenuProps, 'name' | 'email' | 'roleName' | 'accountHref' | 'onShortcuts'> & {
  groups: readonly EntryGroup[];
  onSignOut: () => Promise<unknown>;
  /** The search for everything, below the name of the product. */
  search?: ReactNode;
  /** The search in the bar of narrow screens. */
  searchIcon?: ReactNode;
  children: ReactNode;
};

const isCurrent = (location: string, href: string): boolean =>
  href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`);

const NavLink = ({ href, label, icon, waiting = 0 }: Entry) => {
  const words = useWords(COMMON);
  const [location] = useLocation();
  return (
    <Link className="nav-link" href={href} aria-current={isCurrent(location, href) ? 'page' : undefined}>
      {icon}
      <span className="nav-text">{label}</span>
      {waiting > 0 && (
        <span className="nav-count">
          {formatNumber(waiting)}
          <span className="visually-hidden"> {words.wait}</span>
        </span>
      )}
    </Link>
  );
};

const ProductRow = ({ children }: { children?: ReactNode }) => {
  const { environmentName } = getSettings();
  return (
    <div className="side-bar-product">
      <Product />
      {environmentName && <span className="side-bar-environment">{environmentName}</span>}
      {children}
    </div>
  );
};

/**
 * Groups of entries beside the content. From 820 to 1,099 px they are icons; below 820 px, a bar has a button that
 * opens them as a drawer.
 */
export const SideBarFrame = (props: FrameProps) => {
  const { groups, onSignOut, search, searchIcon, children, ...account } = props;
  const words = useWords(COMMON);
  useKeptFocus();
  const signOut = useMutation({ mutationFn: onSignOut });
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  // The drawer closes when another screen is opened.
  const [shown, setShown] = useState(location);
  if (location !== shown) {
    setShown(location);
    setOpen(false);
  }
  const close = () => setOpen(false);
  const renderSideBar = (cross?: ReactNode) => (
    <header className="side-bar">
      <ProductRow>{cross}</ProductRow>
      {search}
      <nav className="nav" aria-label={words.navigation}>
        {groups.map(({ label, entries }) => (
          <div key={label}>
            <p className="nav-group">{label}</p>
            <ul>
              {entries.map((entry) => (
                <li key={entry.href}>
                  <NavLink {...entry} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="side-bar-foot">
        <AccountMenu {...account} isSigningOut={signOut.isPending} onSignOut={() => signOut.mutate()} />
      </div>
    </header>
  );
  return (
    <div className="side-bar-frame">
      <SkipLink />
      <header className="side-bar-phone">
        <Button look="icon" aria-expanded={isOpen} aria-label={words.menu} onClick={() => setOpen(true)}>
          <MenuIcon />
        </Button>
        <ProductRow />
        {searchIcon}
      </header>
      {renderSideBar()}
      {isOpen && (
        <Drawer label={words.menu} onClose={close}>
          {renderSideBar(
            <Button look="icon" aria-label={words.close} title={words.close} onClick={close}>
              <CloseIcon />
            </Button>,
          )}
        </Drawer>
      )}
      <main id="content" className="side-bar-content" tabIndex={-1}>
        <ErrorNotice error={signOut.error} />
        {children}
      </main>
    </div>
  );
};
