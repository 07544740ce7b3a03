import { isPlatformError } from '@platform/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ActionDialog, type DialogState } from '../../components/forms/action-dialog.tsx';
import { EmailField } from '../../components/forms/email-field.tsx';
import { SelectField } from '../../components/forms/fields.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { formatList } from '../../words/formats.ts';
import { useLanguage } from '../../words/language.ts';
import { useWords } from '../../words/words.ts';
import { NAMES } from '../names.ts';
import { oneOf } from '../query-fields.ts';
import { invitationList, peopleNamed } from '../records/record-queries.ts';
import { PLATFORM_ROLES } from '../records/user.ts';
import { INVITATION_CHANGE, invite } from './invitation-queries.ts';
import { INVITATIONS } from './invitation-words.ts';
import { LanguageField, type LanguageFields, toLanguage } from './language-field.tsx';

/** Links to the account that has the address already, or to a search for it. */
const ToAccount = ({ email }: { email: string }) => {
  const words = useWords(INVITATIONS);
  const { data } = useQuery(peopleNamed(email));
  const found = data?.data.find((person) => person.email === email.toLowerCase());
  return found ? (
    <Link href={`/users/${found.id}`}>{words.hasAccount}</Link>
  ) : (
    <Link href="/users" state={{ search: email }}>
      {words.hasAccount}
    </Link>
  );
};

type Fields = LanguageFields & { email: string; role: string };

export const InviteDialog = (dialog: DialogState) => {
  const words = useWords(INVITATIONS);
  const { platformRoles } = useWords(NAMES);
  const language = useLanguage();
  const say = useSayStatus();
  const { data: invitations } = useQuery(invitationList());
  const domains = invitations?.allowedDomains;
  const send = useMutation({
    mutationFn: (fields: Fields) =>
      invite({
        email: fields.email.trim(),
        role: oneOf(PLATFORM_ROLES, fields.role) ?? 'OPERATOR',
        language: toLanguage(fields) ?? language,
      }),
    meta: INVITATION_CHANGE,
    onSuccess: (_invitation, { email }) => say(words.sent(email.trim())),
  });
  return (
    <ActionDialog
      {...dialog}
      title={words.invite}
      look="main"
      submit={words.send}
      submitting={words.sending}
      mutation={send}
      advice={(error) =>
        isPlatformError(error, 'EMAIL_TAKEN') && <ToAccount email={send.variables?.email.trim() ?? ''} />
      }
    >
      <p className="muted">{words.inviteHint}</p>
      <EmailField<Fields>
        name="email"
        label={words.email}
        hint={domains && words.onlyDomains(formatList(domains))}
        autoComplete="off"
        maxLength={254}
      />
      <SelectField<Fields> name="role" label={words.role} options={platformRoles} />
      <LanguageField language={language} />
    </ActionDialog>
  );
};
