import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ChevronIcon, PreviousIcon } from '../../components/icons.tsx';
import { Time } from '../../components/time.tsx';
import { formatDateAndTime } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { nameInSentence } from '../records/people.ts';
import { type ContactRequest, userRequests } from '../records/record-queries.ts';
import { RequestState, RequestSubject } from '../records/request-state.tsx';
import { AssigneeMenu } from './assignee-menu.tsx';
import { CONTACT } from './contact-words.ts';

/** The other requests of the same person, of which a colleague may have answered one. */
export const OtherRequests = ({ userId, id }: { userId: string; id: string }) => {
  const words = useWords(CONTACT);
  const { data } = useQuery(userRequests(userId));
  const others = data?.data.filter((request) => request.id !== id) ?? [];
  if (others.length === 0) return null;
  return (
    <section aria-label={words.earlier} className="small">
      <h3 className="muted">{words.earlier}</h3>
      <ul className="request-rows">
        {others.map((request) => (
          <li key={request.id} className="request-line">
            <Link className="request-text" href={`/contact-requests?request=${request.id}`}>
              <RequestSubject request={request} />
            </Link>
            <span className="row muted">
              <RequestState request={request} />
              <Time at={request.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** The place of a request in the list, and the links to the next and the previous one. */
export type Places = {
  ownId: string | undefined;
  /** The place in the list, such as `3 of 12`. */
  position: string | undefined;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
  onBack: () => void;
};

type BarProps = Places & {
  request: ContactRequest | undefined;
  assign: { isBusy: boolean; run: (id: string | null) => void };
  mark: { isBusy: boolean; run: () => void };
};

type StepButtonProps = {
  label: string;
  shortcut: string;
  onClick: (() => void) | undefined;
  children: ReactNode;
};

const StepButton = ({ label, shortcut, onClick, children }: StepButtonProps) => (
  <Button
    look="icon"
    aria-label={label}
    title={`${label} (${shortcut.toUpperCase()})`}
    aria-keyshortcuts={shortcut}
    isUnavailable={!onClick}
    onClick={onClick}
  >
    {children}
  </Button>
);

/** The bar over a request: links to its neighbours, and its actions. */
export const RequestBar = (props: BarProps) => {
  const { request, ownId, position, previous, next, onBack, assign, mark } = props;
  const words = useWords(CONTACT);
  return (
    <div className="request-bar">
      <div className="row">
        <span className="request-back">
          <Button look="quiet" onClick={onBack}>
            {words.back}
          </Button>
        </span>
        <StepButton label={words.previous} shortcut="k" onClick={previous}>
          <PreviousIcon />
        </StepButton>
        <StepButton label={words.next} shortcut="j" onClick={next}>
          <ChevronIcon />
        </StepButton>
        <span className="muted small number">{position}</span>
      </div>
      {request && (
        <div className="row">
          <AssigneeMenu
            assignee={request.assignee}
            ownId={ownId}
            isBusy={assign.isBusy}
            onChoose={assign.run}
          />
          <Button aria-keyshortcuts="e" isBusy={mark.isBusy} busyLabel={words.saving} onClick={mark.run}>
            {request.doneAt !== null ? words.reopen : words.doneAndNext}{' '}
            <span className="shortcut" aria-hidden="true">
              E
            </span>
          </Button>
        </div>
      )}
    </div>
  );
};

type RequestProps = { request: ContactRequest };

export const RequestHead = ({ request }: RequestProps) => {
  const words = useWords(CONTACT);
  return (
    <div>
      <h2 className="request-subject">
        <RequestSubject request={request} />
      </h2>
      <div className="row small">
        <RequestState request={request} />
        <span className="muted">
          {words.kinds[request.kind]}, {words.received(formatDateAndTime(new Date(request.createdAt)))}
        </span>
        {request.doneBy && <span className="muted">{words.doneBy(nameInSentence(request.doneBy))}</span>}
      </div>
    </div>
  );
};

/**
 * The sender by the name that they entered. Anybody can enter the address of an account, so the account is shown
 * beside it.
 */
export const RequestSender = ({ request }: RequestProps) => {
  const words = useWords(CONTACT);
  const { account } = request;
  const name = request.name ?? request.email;
  return (
    <div className="card request-sender">
      <Avatar name={name} size={32} />
      <div className="request-sender-text">
        <bdi className="strong">{name}</bdi>
        {request.company && <bdi className="muted small">{request.company}</bdi>}
        <span className="muted small">
          <bdi>{request.email}</bdi> <CopyButton text={request.email} />
        </span>
        {request.phone && <bdi className="muted small">{request.phone}</bdi>}
        <span className="muted small">
          {account ? words.hasAccount(account.name ?? request.email) : words.noAccount}
        </span>
      </div>
      {account ? (
        <Link className="button" href={`/users/${account.id}`}>
          {words.openAccount}
        </Link>
      ) : (
        <Link className="button" href="/users" state={{ search: name }}>
          {words.searchPeople}
        </Link>
      )}
    </div>
  );
};
