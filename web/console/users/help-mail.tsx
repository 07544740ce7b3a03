import { type AdminUserDetail, isPlatformError } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { hasOtherRoles } from '../records/user.ts';
import { USER_HELP } from './user-help-words.ts';
import { USER_CHANGE } from './user-queries.ts';

type HelpMailProps = { user: AdminUserDetail; mail: 'reset' | 'verification' };

export const useHelpMail = ({ user, mail }: HelpMailProps) => {
  const help = useWords(USER_HELP);
  const say = useSayStatus();
  const path = { params: { path: { id: user.id } } };
  return useMutation({
    mutationFn: () =>
      mail === 'reset'
        ? backOffice.POST('/users/{id}/reset-mail', path)
        : backOffice.POST('/users/{id}/verification-mail', path),
    meta: USER_CHANGE,
    onSuccess: () => say(`${help.mailSent(user.email)} ${user.isBlocked ? help.stillBlocked : ''}`),
  });
};

/** Leaves out the platform's sentence, because the countdown says how long to wait. */
export const HelpMailError = ({ error }: { error: unknown }) => {
  const { alreadySent } = useWords(USER_HELP);
  return (
    <ErrorNotice error={error} sentence={isPlatformError(error, 'RESEND_LOCKED') ? alreadySent : undefined} />
  );
};

/** Sends a code that the person could also request on the sign-in page. Administrators have no such page. */
export const HelpMail = ({ user, mail }: HelpMailProps) => {
  const help = useWords(USER_HELP);
  const mutation = useHelpMail({ user, mail });
  if (!hasOtherRoles(user)) return null;
  return (
    <div className="stack-small">
      <div>
        <Button isSmall mutation={mutation} busyLabel={help.sending}>
          {mail === 'reset' ? help.sendReset : help.sendVerification}
        </Button>
      </div>
      <HelpMailError error={mutation.error} />
    </div>
  );
};
