import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { SelectField } from '../../components/forms/fields.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { useSignedIn } from '../../session/session-gate.tsx';
import { formatList } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { NAMES, nameOf } from '../names.ts';
import { nameOfUser } from '../records/people.ts';
import { invitationList } from '../records/people-queries.ts';
import { findPlatformRole, hasOtherRoles } from '../records/user.ts';
import type { UserDialogProps } from './block-dialogs.tsx';
import { USER_ACTIONS } from './user-action-words.ts';
import { UserDialog } from './user-dialog.tsx';
import { USER_CHANGE } from './user-queries.ts';
import { WHETHER } from './whether-words.ts';

const CHOICES = ['OPERATOR', 'ARBITER', 'ADMIN'] as const;

type RoleFields = { role: string };

/** The API decides; the dialog says beforehand what it would reject. */
export const GiveRoleDialog = ({ user, ...dialog }: UserDialogProps) => {
  const words = useWords(USER_ACTIONS);
  const whether = useWords(WHETHER);
  const names = useWords(NAMES);
  const say = useSayStatus();
  const name = nameOfUser(user);
  const refusal = user.isEmailVerified ? undefined : words.giveUnverified(name);
  // The API refuses other domains, whoever asks.
  const { data: invitations } = useQuery({ ...invitationList(), enabled: dialog.isOpen });
  const domains = invitations?.allowedDomains ?? undefined;
  const isForeign = domains !== undefined && !domains.includes(user.email.split('@').at(-1) ?? '');
  const ofDomain = isForeign ? words.giveForeign(name, formatList(domains)) : undefined;
  const obstacle = user.isBlocked ? words.giveBlocked(name) : (refusal ?? ofDomain);
  const give = useMutation({
    mutationFn: async (fields: RoleFields) => {
      const role = CHOICES.find((each) => each === fields.role) ?? 'OPERATOR';
      await backOffice.POST('/users/{id}/platform-role', {
        params: { path: { id: user.id } },
        body: { role },
      });
      return role;
    },
    meta: { ...USER_CHANGE, whether: whether.role(name) },
    onSuccess: (role) => say(words.given(name, nameOf(names.roles, role))),
  });
  return (
    <UserDialog
      user={user}
      {...dialog}
      title={words.giveQuestion(name)}
      look="main"
      submit={obstacle === undefined ? words.give : undefined}
      submitting={words.giving}
      mutation={give}
    >
      <p>{obstacle ?? words.giveText(name)}</p>
      {obstacle === undefined && (
        <SelectField<RoleFields>
          name="role"
          label={words.newRole}
          options={Object.fromEntries(CHOICES.map((role) => [role, words.rolesAbout[role]]))}
        />
      )}
    </UserDialog>
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
  const words = useWords(USER_ACTIONS);
  const whether = useWords(WHETHER);
  const names = useWords(NAMES);
  const say = useSayStatus();
  const isOwn = useSignedIn().user.id === user.id;
  const name = nameOfUser(user);
  const role = nameOf(names.roles, findPlatformRole(user) ?? '');
  const take = useMutation({
    mutationFn: async (fields: EraseFields) => {
      const erase = fields.erase === 'on';
      await backOffice.DELETE('/users/{id}/platform-role', {
        params: { path: { id: user.id }, ...(erase && { query: { erase } }) },
      });
      // The user has no role any more when this is said.
      return erase ? words.erased(name) : words.taken(name, role);
    },
    meta: { ...USER_CHANGE, whether: whether.role(name) },
    onSuccess: (text) => say(text),
  });
  return (
    <UserDialog
      user={user}
      {...dialog}
      title={words.takeQuestion(name, role)}
      submit={words.take}
      submitting={words.taking}
      mutation={take}
    >
      <p>
        {words.takeText(name)} {user.roles.includes('ADMIN') && words.takeAdmin}
      </p>
      {isOwn && <p className="strong">{words.takeOwn}</p>}
      {!hasOtherRoles(user) && <EraseField />}
    </UserDialog>
  );
};
