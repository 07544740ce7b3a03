import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { MenuIcon } from './icons.tsx';
import { useKeptFocus } from './kept-focus.ts';
import { LanguageSelect } from './language-select.tsx';
import { ErrorNotice } from './notice.tsx';
import { Product } from './product.tsx';
import { SkipLink } from './skip-link.tsx';

export type Entry = { href: string; label: string; icon: ReactNode };

type FrameProps = {
  entries: readonly Entry[];
  email: string;
  onSignOut: () => Promise<unknown>;
  /** At the foot: the help of shortcuts, the own account. */
  foot: ReactNode;
  children: ReactNode;
};

const isCurrent = (location: string, href: string): boolean =>
  href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`);

export const NavLink = ({ href, label, icon }: Entry) => {
  const [location] = useLocation();
  return (
    <Link className="nav-link" href={href} aria-current={isCurrent(location, href) ? 'page' : undefined}>
      {icon}
      {label}
    </Link>
  );
};

/** Side bar and content; below 820 px a bar with a menu. */
export const SideBarFrame = ({ entries, email, onSignOut, foot, children }: FrameProps) => {
  const words = useWords(COMMON);
  useKeptFocus();
  const signOut = useMutation({ mutationFn: onSignOut });
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  // Another screen closes the menu.
  const [shown, setShown] = useState(location);
  if (location !== shown) {
    setShown(location);
    setOpen(false);
  }
  return (
    <div className="frame">
      <SkipLink />
      <header className={isOpen ? 'side-bar is-open' : 'side-bar'}>
        <div className="side-bar-head">
          <div className="menu-button">
            <Button aria-expanded={isOpen} aria-label={words.menu} onClick={() => setOpen(!isOpen)}>
              <MenuIcon />
            </Button>
          </div>
          <Product />
        </div>
        <nav className="nav" aria-label={words.navigation}>
          {entries.map((entry) => (
            <NavLink key={entry.href} {...entry} />
          ))}
        </nav>
        <div className="side-bar-foot">
          {foot}
          <div className="side-bar-account">
            <span>{email}</span>
            <div className="row">
              <LanguageSelect />
              <Button
                look="link"
                isBusy={signOut.isPending}
                busyLabel={words.signingOut}
                onClick={() => signOut.mutate()}
              >
                {words.signOut}
              </Button>
            </div>
          </div>
        </div>
      </header>
      <main id="content" className="content" tabIndex={-1}>
        <ErrorNotice error={signOut.error} />
        {children}
      </main>
    </div>
  );
};
