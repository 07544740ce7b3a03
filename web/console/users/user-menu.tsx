import type { AdminUserDetail } from '@platform/client';
import { useLocation } from 'wouter';
import { CheckCircleIcon, CopyIcon, MailIcon } from '../../components/form-icons.tsx';
import type { useDialogs } from '../../components/forms/action-dialog.tsx';
import {
  BlockIcon,
  ChevronIcon,
  ColleaguesIcon,
  LogIcon,
  ShieldAlertIcon,
  SignOutIcon,
} from '../../components/icons.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../components/menu.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { BinIcon, DownloadIcon } from '../../own-account/account-icons.tsx';
import { useWords } from '../../words/words.ts';
import { findPlatformRole, hasFactors, hasOtherRoles } from '../records/user.ts';
import { USER_ACTIONS } from './user-action-words.ts';
import { USER_HELP } from './user-help-words.ts';
import { USERS } from './user-words.ts';

export type DialogName =
  | 'block'
  | 'unblock'
  | 'give'
  | 'take'
  | 'delete'
  | 'end-all'
  | 'remove-factors'
  | 'note';
export type Dialogs = ReturnType<typeof useDialogs<DialogName>>;

type MenuProps = {
  user: AdminUserDetail;
  isOwn: boolean;
  dialogs: Dialogs;
  sendReset: () => void;
  exportData: () => void;
};

const HelpItems = ({ user, isOwn, dialogs: { open }, sendReset }: MenuProps) => {
  const words = useWords(USERS);
  const help = useWords(USER_HELP);
  const { removeFactors } = useWords(USER_ACTIONS);
  const hasRole = findPlatformRole(user) !== undefined;
  return (
    <>
      <MenuLabel>{help.help}</MenuLabel>
      {!isOwn && hasOtherRoles(user) && (
        <MenuItem icon={<MailIcon />} onClick={sendReset}>
          {help.sendReset}
        </MenuItem>
      )}
      {hasFactors(user) && (
        <MenuItem icon={<ShieldAlertIcon />} onClick={open('remove-factors')}>
          {removeFactors}
        </MenuItem>
      )}
      <MenuItem icon={<SignOutIcon />} onClick={open('end-all')}>
        {help.endAllSessions}
      </MenuItem>
      <MenuItem icon={<ColleaguesIcon />} onClick={open(hasRole ? 'take' : 'give')}>
        {hasRole ? words.takeRole : words.giveRole}
      </MenuItem>
    </>
  );
};

const LinkItems = ({ user: { id }, exportData }: Pick<MenuProps, 'user' | 'exportData'>) => {
  const help = useWords(USER_HELP);
  const say = useSayStatus();
  const [, navigate] = useLocation();
  // Browsers have no clipboard on a page without TLS.
  const { clipboard } = navigator as { clipboard?: Clipboard };
  return (
    <>
      {clipboard && (
        <MenuItem
          icon={<CopyIcon />}
          onClick={() => void clipboard.writeText(location.href).then(() => say(help.linkCopied))}
        >
          {help.copyLink}
        </MenuItem>
      )}
      <MenuItem icon={<LogIcon />} onClick={() => navigate(`/audit-log?userId=${id}`)}>
        {help.openLog}
      </MenuItem>
      <MenuItem icon={<DownloadIcon />} onClick={exportData}>
        {help.exportData}
      </MenuItem>
    </>
  );
};

const DangerItems = ({ user, dialogs: { open } }: Pick<MenuProps, 'user' | 'dialogs'>) => {
  const words = useWords(USERS);
  return (
    <>
      <MenuLine />
      <MenuItem
        icon={user.isBlocked ? <CheckCircleIcon /> : <BlockIcon />}
        onClick={open(user.isBlocked ? 'unblock' : 'block')}
      >
        {user.isBlocked ? words.unblock : words.block}
      </MenuItem>
      <MenuItem isDanger icon={<BinIcon />} onClick={open('delete')}>
        {words.delete}
      </MenuItem>
    </>
  );
};

/** The menu of a person: help, links, and block and delete, which the own account does not have. */
export const UserMenu = (props: MenuProps) => {
  const help = useWords(USER_HELP);
  return (
    <Menu
      className="button button-main"
      button={
        <>
          {help.actions}
          <ChevronIcon />
        </>
      }
    >
      <HelpItems {...props} />
      <MenuLine />
      <LinkItems user={props.user} exportData={props.exportData} />
      {!props.isOwn && <DangerItems user={props.user} dialogs={props.dialogs} />}
    </Menu>
  );
};
