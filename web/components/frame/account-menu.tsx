import { useLocation } from 'wouter';
import { COMMON } from '../../words/common.ts';
import type { Language } from '../../words/define-words.ts';
import { chooseLanguage, LANGUAGES, useLanguage } from '../../words/language.ts';
import { useWords } from '../../words/words.ts';
import { Avatar } from '../avatar.tsx';
import { ChooseIcon, KeyboardIcon, LanguageIcon, PersonCircleIcon, SignOutIcon } from '../icons.tsx';
import { Menu, MenuChoice, MenuItem, MenuLine } from '../menu.tsx';
import { useIsSlow } from '../waiting.tsx';

export type AccountMenuProps = {
  /** Null if the person has no name: then the menu shows the address. */
  name: string | null;
  email: string;
  roleName: string;
  accountHref: string;
  onShortcuts: () => void;
  onSignOut: () => void;
  isSigningOut: boolean;
};

/** The menu of the signed-in person: account, language, keyboard help and sign-out. */
export const AccountMenu = (props: AccountMenuProps) => {
  const { name, email, roleName, accountHref, onShortcuts, onSignOut, isSigningOut } = props;
  const isLeaving = useIsSlow(isSigningOut);
  const words = useWords(COMMON);
  const current = useLanguage();
  const [, navigate] = useLocation();
  const who = name ?? email;
  return (
    <Menu
      className="account-button"
      button={
        <>
          <Avatar name={who} size={32} />
          <span className="account-button-text">
            <span className="account-button-name text-cut">{who}</span>
            <span className="account-button-role">{isLeaving ? words.signingOut : roleName}</span>
          </span>
          <ChooseIcon />
        </>
      }
    >
      <div className="menu-head">
        <span className="account-button-name">{who}</span>
        <span className="account-button-role">{name === null ? roleName : email}</span>
      </div>
      <MenuLine />
      <MenuItem icon={<PersonCircleIcon />} onClick={() => navigate(accountHref)}>
        {words.yourAccount}
      </MenuItem>
      <MenuItem icon={<KeyboardIcon />} end={<kbd className="shortcut">?</kbd>} onClick={onShortcuts}>
        {words.shortcuts}
      </MenuItem>
      <MenuLine />
      {Object.entries(LANGUAGES).map(([tag, language]) => (
        <MenuChoice
          key={tag}
          icon={<LanguageIcon />}
          lang={tag}
          isChecked={tag === current}
          onClick={() => chooseLanguage(tag as Language)}
        >
          {language}
        </MenuChoice>
      ))}
      <MenuLine />
      <MenuItem icon={<SignOutIcon />} onClick={onSignOut}>
        {words.signOut}
      </MenuItem>
    </Menu>
  );
};
