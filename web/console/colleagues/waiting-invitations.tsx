import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card, CardRow } from '../../components/card.tsx';
import { ActionDialog } from '../../components/forms/action-dialog.tsx';
import { Pill } from '../../components/state.tsx';
import { QueryRows } from '../../components/states.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { type Invitation, invitationList } from '../records/record-queries.ts';
import { INVITATION_CHANGE, invite, withdrawInvitation } from './invitation-queries.ts';
import { INVITATIONS } from './invitation-words.ts';
import { LanguageField, type LanguageFields, toLanguage } from './language-field.tsx';

/** A second invitation for the address replaces the first. */
const Resend = ({ invitation: { email, role, language } }: { invitation: Invitation }) => {
  const words = useWords(INVITATIONS);
  const say = useSayStatus();
  const [isOpen, setOpen] = useState(false);
  const mutation = useMutation({
    mutationFn: (fields: LanguageFields) => invite({ email, role, language: toLanguage(fields) ?? 'en' }),
    meta: INVITATION_CHANGE,
    onSuccess: () => say(words.resent(email)),
  });
  return (
    <>
      <Button isSmall aria-label={`${words.resend} ${email}`} onClick={() => setOpen(true)}>
        {words.resend}
      </Button>
      <ActionDialog
        title={words.resendQuestion(email)}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        look="main"
        submit={words.send}
        submitting={words.sending}
        mutation={mutation}
      >
        <p>{words.resendText}</p>
        <LanguageField language={language} />
      </ActionDialog>
    </>
  );
};

const Withdraw = ({ invitation: { id, email } }: { invitation: Invitation }) => {
  const words = useWords(INVITATIONS);
  const say = useSayStatus();
  const [isOpen, setOpen] = useState(false);
  const mutation = useMutation({
    mutationFn: () => withdrawInvitation(id),
    meta: INVITATION_CHANGE,
    onSuccess: () => say(words.withdrawn(email)),
  });
  return (
    <>
      <Button isSmall aria-label={`${words.withdraw} ${email}`} onClick={() => setOpen(true)}>
        {words.withdraw}
      </Button>
      <ActionDialog
        title={words.withdrawQuestion(email)}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={words.withdrawNow}
        submitting={words.withdrawing}
        mutation={mutation}
      >
        <p>{words.withdrawText(email)}</p>
      </ActionDialog>
    </>
  );
};

const DAY = 86_400_000;

/** When an invitation ends; its last day is highlighted. */
const Ends = ({ at }: { at: string }) => {
  const words = useWords(INVITATIONS);
  const [now] = useState(() => Date.now());
  return (
    <span className={Date.parse(at) - now < DAY ? 'text-warn small' : 'muted small'}>
      {words.validUntil} <Time at={at} isFull />
    </span>
  );
};

/** Lists the invitations that were not accepted yet. */
export const WaitingInvitations = () => {
  const words = useWords(INVITATIONS);
  const names = useWords(NAMES);
  const query = useQuery(invitationList());
  return (
    <Card title={words.waiting}>
      <QueryRows query={query} none={words.none}>
        {(invitation) => (
          <CardRow
            key={invitation.id}
            button={
              <>
                <Pill>{nameOf(names.roles, invitation.role)}</Pill>
                <Ends at={invitation.expiresAt} />
                <Resend invitation={invitation} />
                <Withdraw invitation={invitation} />
              </>
            }
          >
            <bdi className="strong">{invitation.email}</bdi>
            <div className="muted small">
              <bdi>
                {words.invitedBy(
                  invitation.invitedBy?.name ?? invitation.invitedBy?.email ?? words.deletedUser,
                )}
              </bdi>{' '}
              · <Time at={invitation.createdAt} />
            </div>
          </CardRow>
        )}
      </QueryRows>
    </Card>
  );
};
