import { isPlatformError } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { type Column, ListResult, Paging, Table } from '../../components/list.tsx';
import { FilterSelect, Filters } from '../../components/list-filters.tsx';
import { useListState } from '../../components/list-state.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { COMMON } from '../../words/common.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { nameOf } from '../names.ts';
import { oneOf } from '../query-fields.ts';
import { deleteMail, type Mail, mailList, retryMail, useReloadMails } from './mail-queries.ts';
import { MAILS } from './mail-words.ts';

/** The state of a mail, with its attempts and the response of the mail server. */
const State = ({ mail }: { mail: Mail }) => {
  const words = useWords(MAILS);
  return (
    <>
      {mail.state === 'failed' ? <Badge look="bad">{words.states.failed}</Badge> : words.states.waiting}
      {mail.attempts > 0 && (
        <div className="muted small">{words.attempts(formatNumber(mail.attempts), mail.attempts === 1)}</div>
      )}
      {mail.failure && <div className="small text-lines">{mail.failure}</div>}
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
  const say = useSayStatus();
  const reload = useReloadMails();
  const [isOpen, setOpen] = useState(false);
  const name = nameOf(words.names, mail.mail);
  const retry = useAction(async () => {
    await retryMail(mail.id);
    await reload();
    say(words.retried);
  });
  return (
    <>
      <div className="row">
        <Button
          aria-label={`${words.retry}: ${name}, ${mail.recipient}`}
          isBusy={retry.isBusy}
          busyLabel={words.retrying}
          onClick={() => void retry.run()}
        >
          {words.retry}
        </Button>
        <Button
          look="danger-quiet"
          aria-label={`${words.delete} ${name}, ${mail.recipient}`}
          onClick={() => setOpen(true)}
        >
          {words.delete}
        </Button>
      </div>
      <ErrorNotice error={retry.error}>
        {isPlatformError(retry.error, 'MAIL_EXPIRED') && words.expired}
      </ErrorNotice>
      <ActionDialog
        title={words.deleteQuestion(name, mail.recipient)}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={words.deleteMail}
        submitting={words.deleting}
        onSubmit={async () => {
          await deleteMail(mail.id);
          await reload();
          say(words.deleted);
        }}
      >
        <p>{words.deleteText}</p>
      </ActionDialog>
    </>
  );
};

/** Lists waiting and failed mails with their reasons, without texts and codes. */
export const MailList = () => {
  const words = useWords(MAILS);
  const common = useWords(COMMON);
  const list = useListState(['state']);
  const { page, perPage, filters } = list;
  const state = oneOf(['waiting', 'failed'] as const, filters.state);
  const query = useQuery(mailList({ page, perPage, state }));
  const columns: Column<Mail>[] = [
    { label: words.mail, isName: true, cell: ({ mail }) => nameOf(words.names, mail) },
    { label: words.recipient, cell: ({ recipient }) => recipient },
    { label: words.state, cell: (mail) => <State mail={mail} /> },
    { label: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { label: words.next, cell: (mail) => <NextStep mail={mail} /> },
  ];
  const noneOfState = state === 'failed' ? words.noneFailed : words.noneWaiting;
  return (
    <Page title={words.title}>
      <Filters>
        <FilterSelect
          label={words.state}
          value={filters.state}
          options={words.states}
          onChange={(value) => list.setFilter('state', value)}
        />
      </Filters>
      <ListResult
        query={query}
        total={(found) => found}
        empty={state === undefined ? words.none : noneOfState}
        emptyAction={list.isFiltered && <Button onClick={list.clear}>{common.removeFilters}</Button>}
      >
        {(found, isOld) => (
          <div>
            <Table
              caption={words.title}
              columns={columns}
              rows={found.data}
              keyOf={({ id }) => id}
              isOld={isOld}
            />
            <Paging
              list={list}
              shown={found.data.length}
              total={found.total}
              totalCapped={found.totalCapped}
            />
            {found.totalCapped && <p className="muted small">{words.newest}</p>}
          </div>
        )}
      </ListResult>
    </Page>
  );
};
