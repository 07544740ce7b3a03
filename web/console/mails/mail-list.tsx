import { isPlatformError } from '@platform/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { DialogButton, WriteDialog } from '../../components/forms/action-dialog.tsx';
import { ForSeveral } from '../../components/forms/for-several.tsx';
import { ListPage } from '../../components/lists/list-page.tsx';
import { useListState } from '../../components/lists/list-state.ts';
import { type Column, CutText, timeColumn } from '../../components/lists/table.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { State } from '../../components/state.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { nameOf } from '../names.ts';
import { oneOf } from '../query-fields.ts';
import { MAIL_NAMES } from '../records/mail-names.ts';
import { deleteMail, MAIL_CHANGE, type Mail, mailList, retryMail } from './mail-queries.ts';
import { MAILS } from './mail-words.ts';
import { RetriedMails } from './retried-mails.tsx';

/** The state of a mail in words, with its attempts and the response of the mail server. */
const MailState = ({ mail }: { mail: Mail }) => {
  const words = useWords(MAILS);
  const cause = mail.cause === null ? undefined : nameOf(words.causes, mail.cause);
  return (
    <>
      {mail.state === 'failed' ? (
        <State look="bad">{cause ?? words.states.failed}</State>
      ) : (
        <State look={cause ? 'warn' : 'off'}>{cause ? words.waits(cause) : words.states.waiting}</State>
      )}
      {mail.attempts > 0 && (
        <div className="muted small">{words.attempts(formatNumber(mail.attempts), mail.attempts)}</div>
      )}
      {mail.failure && <bdi className="muted small text-lines">{mail.failure}</bdi>}
      {mail.nextAttemptAt && (
        <div className="muted small">
          {words.nextAttempt} <Time at={mail.nextAttemptAt} isFull />
        </div>
      )}
    </>
  );
};

const NextStep = ({ mail }: { mail: Mail }) => {
  const words = useWords(MAILS);
  const mailNames = useWords(MAIL_NAMES);
  const say = useSayStatus();
  const name = nameOf(mailNames, mail.mail);
  const retry = useMutation({
    mutationFn: () => retryMail(mail.id),
    meta: MAIL_CHANGE,
    onSuccess: () => say(<RetriedMails mails={[mail]} />),
  });
  return (
    <>
      <div className="row">
        <Button
          isSmall
          aria-label={`${words.retry}: ${name}, ${mail.recipient}`}
          mutation={retry}
          busyLabel={words.retrying}
        >
          {words.retry}
        </Button>
        <DialogButton look="danger-quiet" label={words.delete} object={`${name}, ${mail.recipient}`}>
          {(dialog) => (
            <WriteDialog
              {...dialog}
              title={words.deleteQuestion(name, mail.recipient)}
              submit={words.deleteMail}
              submitting={words.deleting}
              act={() => deleteMail(mail.id)}
              meta={MAIL_CHANGE}
              done={() => words.deleted}
            >
              <p>{words.deleteText}</p>
            </WriteDialog>
          )}
        </DialogButton>
      </div>
      <ErrorNotice error={retry.error}>
        {isPlatformError(retry.error, 'MAIL_EXPIRED') && words.expired}
      </ErrorNotice>
    </>
  );
};

/** Lists waiting and failed mails with their reasons, without texts and codes. */
export const MailList = () => {
  const words = useWords(MAILS);
  const mailNames = useWords(MAIL_NAMES);
  const list = useListState(['state']);
  const { page, perPage, filters } = list;
  const state = oneOf(['waiting', 'failed'] as const, filters.state);
  const query = useQuery(mailList({ page, perPage, state }));
  const columns: Column<Mail>[] = [
    {
      label: words.mail,
      isName: true,
      cell: ({ mail, recipient, user }) => (
        <>
          <span className="strong">{nameOf(mailNames, mail)}</span>
          <bdi className="muted small table-only-narrow">{user?.name ?? recipient}</bdi>
        </>
      ),
    },
    {
      label: words.recipient,
      width: 180,
      leavesBelow: 1100,
      cell: ({ recipient, user }) =>
        user ? (
          <Link className="text-name" href={`/users/${user.id}`}>
            <bdi>{user.name ?? recipient}</bdi>
          </Link>
        ) : (
          <CutText text={recipient} />
        ),
    },
    { label: words.state, cell: (mail) => <MailState mail={mail} /> },
    timeColumn(words.created, 110, ({ createdAt }) => createdAt),
    { label: words.next, hasNoHeading: true, width: 244, cell: (mail) => <NextStep mail={mail} /> },
  ];
  const nameOfMail = ({ mail, recipient }: Mail) => `${nameOf(mailNames, mail)}, ${recipient}`;
  const [chosen, setChosen] = useState<{ mails: readonly Mail[]; clear: () => void }>();
  return (
    <>
      <ListPage
        title={words.title}
        list={list}
        query={query}
        columns={columns}
        filters={[{ name: 'state', label: words.state, options: words.states }]}
        several={{
          nameOf: nameOfMail,
          actions: (mails, clear) => (
            <Button look="quiet" onClick={() => setChosen({ mails, clear })}>
              {words.sendSeveral}
            </Button>
          ),
        }}
        empty={{ none: words.none, noneFiltered: state === 'failed' ? words.noneFailed : words.noneWaiting }}
        cappedNote={words.newest}
      />
      {chosen && (
        <ForSeveral
          isHarmless
          rows={chosen.mails}
          nameOf={nameOfMail}
          title={words.sendQuestion(formatNumber(chosen.mails.length), chosen.mails.length)}
          submit={words.retry}
          submitting={words.sendingThem}
          done={() => <RetriedMails mails={chosen.mails} />}
          act={({ id }) => retryMail(id)}
          invalidates={MAIL_CHANGE.invalidates}
          onDone={chosen.clear}
          onClose={() => setChosen(undefined)}
        >
          <p>{words.sendText}</p>
        </ForSeveral>
      )}
    </>
  );
};
