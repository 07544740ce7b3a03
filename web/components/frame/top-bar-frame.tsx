import './page.css';
import './status-line.css';
import './top-bar.css';
import '../card.css';
import '../menu.css';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { useShownAddress } from '../address.tsx';
import { ChevronIcon, LeftIcon, SignOutIcon } from '../icons.tsx';
import { useKeptFocus } from '../keys/kept-focus.ts';
import { Menu, MenuItem } from '../menu.tsx';
import { ErrorNotice } from '../notice.tsx';
import { PersonMark } from '../person-mark.tsx';
import { Foot } from './foot.tsx';
import { Product } from './product.tsx';
import { SkipLink } from './skip-link.tsx';

type FrameProps = {
  /** Undefined if the person has no name: then the menu shows the address. */
  name: string | undefined;
  email: string;
  /** The name of the kind of account. */
  kind: string;
  /** A link back to the site that the person comes from. */
  back?: { href: string; label: string } | undefined;
  onSignOut: () => Promise<unknown>;
  children: ReactNode;
};

/** One column below a bar, for the account pages. The menu names the signed-in person, and leads back and out. */
export const TopBarFrame = ({ name, email, kind, back, onSignOut, children }: FrameProps) => {
  const words = useWords(COMMON);
  useKeptFocus();
  const signOut = useMutation({ mutationFn: onSignOut });
  const shown = useShownAddress(email);
  const who = name ?? shown;
  return (
    <>
      <SkipLink />
      <header className="top-bar">
        <div className="top-bar-inner">
          <Product />
          <Menu
            className="top-bar-person"
            button={
              <>
                <span className="visually-hidden">{words.accountMenu(who)}</span>
                <PersonMark name={who} />
                <span className="top-bar-name" aria-hidden="true">
                  {who}
                </span>
                <ChevronIcon />
              </>
            }
          >
            <div className="menu-head">
              <strong>{who}</strong>
              {name && <span className="muted small">{shown}</span>}
              <span className="muted small">{kind}</span>
            </div>
            {back && (
              <MenuItem icon={<LeftIcon />} onClick={() => window.location.assign(back.href)}>
                {back.label}
              </MenuItem>
            )}
            <MenuItem icon={<SignOutIcon />} onClick={() => signOut.mutate()}>
              {words.signOut}
            </MenuItem>
          </Menu>
        </div>
      </header>
      <main id="content" className="top-bar-content" tabIndex={-1}>
        <ErrorNotice error={signOut.error} />
        {children}
      </main>
      <Foot isWithoutLanguage />
    </>
  );
};
