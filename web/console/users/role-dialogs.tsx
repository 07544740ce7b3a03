import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { SelectField } from '../../components/forms/fields.tsx';
import { formatList } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { NAMES, nameOf } from '../names.ts';
import { oneOf } from '../query-fields.ts';
import { invitationList } from '../records/record-queries.ts';
import { findPlatformRole, hasOtherRoles, PLATFORM_ROLES } from '../records/user.ts';
import { USER_ACTIONS } from './user-action-words.ts';
import { UserActionDialog, type UserDialogProps, useUserDialog } from './user-dialog.tsx';

type RoleFields = { role: string };

/** The API decides; the dialog says beforehand what it would reject. */
export const GiveRoleDialog = ({ user, ...dialog }: UserDialogProps) => {
  const { words, name, at } = useUserDialog(user);
  const names = useWords(NAMES);
  const refusal = user.isEmailVerified ? undefined : words.giveUnverified(name);
  // The API accepts addresses of these domains only.
  const { data: invitations } = useQuery({ ...invitationList(), enabled: dialog.isOpen });
  const domains = invitations?.allowedDomains ?? undefined;
  const isForeign = domains !== undefined && !domains.includes(user.email.split('@').at(-1) ?? '');
  const ofDomain = isForeign ? words.giveForeign(name, formatList(domains)) : undefined;
  const obstacle = user.isBlocked ? words.giveBlocked(name) : (refusal ?? ofDomain);
  const give = async (fields: RoleFields) => {
    const role = oneOf(PLATFORM_ROLES, fields.role) ?? 'OPERATOR';
    await backOffice.POST('/users/{id}/platform-role', { ...at, body: { role } });
    return role;
  };
  return (
    <UserActionDialog
      user={user}
      {...dialog}
      title={words.giveQuestion(name)}
      look="main"
      submit={obstacle === undefined ? words.give : undefined}
      submitting={words.giving}
      whether={words.whether.role(name)}
      act={give}
      done={(role) => words.given(name, names.roles[role])}
    >
      <p>{obstacle ?? words.giveText(name)}</p>
      {obstacle === undefined && (
        <SelectField<RoleFields> name="role" label={words.newRole} options={names.platformRoles} />
      )}
    </UserActionDialog>
  );
};

type EraseFields = { erase?: 'on' };

const EraseField = () => {
  const words = useWords(USER_ACTIONS);
  const id = useId();
  return (
    <div className="stack-small">
      <label className="row">
        <input type="checkbox" name={'erase' satisfies keyof EraseFields} aria-describedby={id} />
        {words.erase}
      </label>
      <p id={id} className="muted small">
        {words.eraseHint}
      </p>
    </div>
  );
};

export const TakeRoleDialog = ({ user, ...dialog }: UserDialogProps) => {
  const { words, name, isOwn } = useUserDialog(user);
  const names = useWords(NAMES);
  const role = nameOf(names.roles, findPlatformRole(user) ?? '');
  const take = async (fields: EraseFields) => {
    const erase = fields.erase === 'on';
    await backOffice.DELETE('/users/{id}/platform-role', {
      params: { path: { id: user.id }, ...(erase && { query: { erase } }) },
    });
    // The user has no role any more when this is said.
    return erase ? words.erased(name) : words.taken(name, role);
  };
  return (
    <UserActionDialog
      user={user}
      {...dialog}
      title={words.takeQuestion(name, role)}
      submit={words.take}
      submitting={words.taking}
      whether={words.whether.role(name)}
      act={take}
      done={(text) => text}
    >
      <p>
        {words.takeText(name)} {user.roles.includes('ADMIN') && words.takeAdmin}
      </p>
      {isOwn && <p className="strong">{words.takeOwn}</p>}
      {!hasOtherRoles(user) && <EraseField />}
    </UserActionDialog>
  );
};
