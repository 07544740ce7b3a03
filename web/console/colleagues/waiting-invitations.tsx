import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card, CardRow } from '../../components/card.tsx';
import { DialogButton, WriteDialog } from '../../components/forms/action-dialog.tsx';
import { Pill } from '../../components/state.tsx';
import { QueryRows } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { nameInSentence } from '../records/people.ts';
import { type Invitation, invitationList } from '../records/record-queries.ts';
import { INVITATION_CHANGE, invite, withdrawInvitation } from './invitation-queries.ts';
import { INVITATIONS } from './invitation-words.ts';
import { LanguageField, type LanguageFields, toLanguage } from './language-field.tsx';

type InvitationProps = { invitation: Invitation };

/** A second invitation for the address replaces the first. */
const Resend = ({ invitation: { email, role, language } }: InvitationProps) => {
  const words = useWords(INVITATIONS);
  return (
    <DialogButton label={words.resend} object={email}>
      {(dialog) => (
        <WriteDialog
          {...dialog}
          title={words.resendQuestion(email)}
          look="main"
          submit={words.send}
          submitting={words.sending}
          act={(fields: LanguageFields) => invite({ email, role, language: toLanguage(fields) ?? 'en' })}
          meta={INVITATION_CHANGE}
          done={() => words.resent(email)}
        >
          <p>{words.resendText}</p>
          <LanguageField language={language} />
        </WriteDialog>
      )}
    </DialogButton>
  );
};

const Withdraw = ({ invitation: { id, email } }: InvitationProps) => {
  const words = useWords(INVITATIONS);
  return (
    <DialogButton label={words.withdraw} object={email}>
      {(dialog) => (
        <WriteDialog
          {...dialog}
          title={words.withdrawQuestion(email)}
          submit={words.withdrawNow}
          submitting={words.withdrawing}
          act={() => withdrawInvitation(id)}
          meta={INVITATION_CHANGE}
          done={() => words.withdrawn(email)}
        >
          <p>{words.withdrawText(email)}</p>
        </WriteDialog>
      )}
    </DialogButton>
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
              <bdi>{words.invitedBy(nameInSentence(invitation.invitedBy ?? { email: null }))}</bdi> ·{' '}
              <Time at={invitation.createdAt} />
            </div>
          </CardRow>
        )}
      </QueryRows>
    </Card>
  );
};
