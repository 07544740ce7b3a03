import { isPlatformError } from '@platform/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { Card, CardBody } from '../../components/card.tsx';
import { SelectField, TextField } from '../../components/fields.tsx';
import { Form, type ReadField } from '../../components/form.tsx';
import { ListResult } from '../../components/list.tsx';
import { Page } from '../../components/page.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useLanguage } from '../../words/language.ts';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { oneOf } from '../query-fields.ts';
import {
  INVITATION_CHANGE,
  INVITED_ROLES,
  type Invitation,
  invitationList,
  invite,
  withdrawInvitation,
} from './invitation-queries.ts';
import { INVITATIONS } from './invitation-words.ts';

const InviteForm = () => {
  const words = useWords(INVITATIONS);
  const { languages } = useWords(NAMES);
  const language = useLanguage();
  const say = useSayStatus();
  const [round, setRound] = useState(0);
  const send = useMutation({
    mutationFn: async (read: ReadField) => {
      const email = read('email').trim();
      await invite({
        email,
        role: oneOf(INVITED_ROLES, read('role')) ?? 'OPERATOR',
        language: oneOf(['en', 'de'] as const, read('language')) ?? language,
      });
      return email;
    },
    meta: INVITATION_CHANGE,
    onSuccess: (email) => {
      say(words.sent(email));
      setRound((current) => current + 1);
    },
  });
  return (
    <Card title={words.invite}>
      <CardBody>
        <Form
          key={round}
          mutation={send}
          submit={words.send}
          submitting={words.sending}
          advice={(error) =>
            isPlatformError(error, 'EMAIL_TAKEN') && <Link href="/users">{words.hasAccount}</Link>
          }
        >
          <p className="muted">{words.inviteHint}</p>
          <TextField
            name="email"
            label={words.email}
            type="email"
            autoComplete="off"
            maxLength={254}
            invalid={words.emailRule}
          />
          <SelectField name="role" label={words.role} options={words.roles} />
          <SelectField
            name="language"
            label={words.language}
            options={{ ...languages }}
            defaultValue={language}
          />
        </Form>
      </CardBody>
    </Card>
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
      <Button aria-label={`${words.withdraw} ${email}`} onClick={() => setOpen(true)}>
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

/** How a colleague gets an account for this console. */
export const Invitations = () => {
  const words = useWords(INVITATIONS);
  const names = useWords(NAMES);
  const query = useQuery(invitationList());
  const columns: Column<Invitation>[] = [
    { label: words.email, isName: true, cell: ({ email }) => email },
    { label: words.role, cell: ({ role }) => nameOf(names.roles, role) },
    { label: words.invitedBy, cell: ({ invitedBy }) => invitedBy?.email ?? words.deletedUser },
    { label: words.invitedAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { label: words.validUntil, cell: ({ expiresAt }) => <Time at={expiresAt} isFull /> },
    { label: words.withdraw, cell: (invitation) => <Withdraw invitation={invitation} /> },
  ];
  return (
    <Page title={words.title}>
      <div className="stack">
        <InviteForm />
        <h2>{words.waiting}</h2>
        <ListResult query={query} total={({ data }) => ({ total: data.length })} empty={words.none}>
          {({ data }) => <Table caption={words.waiting} columns={columns} rows={data} />}
        </ListResult>
      </div>
    </Page>
  );
};
