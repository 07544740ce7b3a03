import { useEffect, useRef } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { PencilIcon } from '../../components/icons.tsx';
import { SelectRow } from '../../components/lists/select-box.tsx';
import type { Selection } from '../../components/lists/selection.ts';
import { Time } from '../../components/time.tsx';
import { useHasDraft } from '../../session/drafts.ts';
import { useWords } from '../../words/words.ts';
import { nameOfReference } from '../records/people.ts';
import type { ContactRequest } from '../records/record-queries.ts';
import { RequestState, RequestSubject } from '../records/request-state.tsx';
import { CONTACT } from './contact-words.ts';
import { draftOf, isLate } from './request.ts';

/** A pencil at a request whose reply or note was typed in this tab, and not sent. */
export const DraftMark = ({ id }: { id: string }) => {
  const { draft } = useWords(CONTACT);
  const hasReply = useHasDraft(draftOf('reply', id));
  const hasNote = useHasDraft(draftOf('note', id));
  if (!(hasReply || hasNote)) return null;
  return (
    <span className="row" title={draft}>
      <PencilIcon />
      <span className="visually-hidden">{draft}</span>
    </span>
  );
};

type RowProps = {
  request: ContactRequest;
  isCurrent: boolean;
  ownId: string | undefined;
  onOpen: () => void;
  /** Undefined in a view whose requests have no action for several. */
  selection: Selection<ContactRequest> | undefined;
};

/** Name and age, subject, state and who has it. */
const RequestRow = ({ request, isCurrent, ownId, onOpen, selection }: RowProps) => {
  const words = useWords(CONTACT);
  const { assignee } = request;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const { current } = button;
    if (!(isCurrent && current)) return;
    current.closest('li')?.scrollIntoView({ block: 'nearest' });
    // With J and K, the focus goes along, so that Enter and X do not act on the row before.
    if (document.activeElement?.closest('.request-rows')) current.focus();
  }, [isCurrent]);
  const assigneeName = assignee ? nameOfReference(assignee) : '';
  return (
    <li className="request-item" data-row={request.id}>
      {selection && <SelectRow selection={selection} row={request} />}
      <button
        ref={button}
        type="button"
        className="request-row"
        aria-current={isCurrent || undefined}
        onClick={onOpen}
      >
        <span className="request-line">
          <bdi className="strong request-text">{request.name ?? request.email}</bdi>
          <span className={isLate(request) ? 'request-late small' : 'muted small'}>
            <Time at={request.createdAt} />
          </span>
        </span>
        <RequestSubject request={request} className="request-text" />
        <span className="request-line small">
          <span className="row">
            <RequestState request={request} />
            <DraftMark id={request.id} />
          </span>
          {assignee ? (
            <span className="row muted">
              <Avatar name={assigneeName} size={20} />
              <bdi>{assignee.id === ownId ? words.you : assigneeName}</bdi>
            </span>
          ) : (
            <span className="muted">{words.nobody}</span>
          )}
        </span>
      </button>
    </li>
  );
};

type RowsProps = Pick<RowProps, 'ownId' | 'selection'> & {
  requests: readonly ContactRequest[];
  current: string | undefined;
  onOpen: (id: string) => void;
};

export const RequestRows = ({ requests, current, onOpen, ...row }: RowsProps) => (
  <ul className="request-rows">
    {requests.map((request) => (
      <RequestRow
        {...row}
        key={request.id}
        request={request}
        isCurrent={request.id === current}
        onOpen={() => onOpen(request.id)}
      />
    ))}
  </ul>
);
