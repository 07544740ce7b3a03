import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../components/button.tsx';
import { HeldKeys } from '../../components/keys/held-keys.ts';
import { usePageKeys } from '../../components/keys/page-keys.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { QueryError, Skeleton } from '../../components/states.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { hasDraft } from '../../session/drafts.ts';
import { useWords } from '../../words/words.ts';
import { nameInSentence } from '../records/people.ts';
import type { ContactRequest } from '../records/record-queries.ts';
import { useSubjectToShow } from '../records/request-state.tsx';
import {
  assignContactRequest,
  CONTACT_CHANGE,
  contactRequest,
  editContactRequest,
} from './contact-queries.ts';
import { CONTACT } from './contact-words.ts';
import { draftOf } from './request.ts';
import { type ComposerMode, RequestComposer } from './request-composer.tsx';
import { RequestEntries } from './request-entries.tsx';
import { OtherRequests, type Places, RequestBar, RequestHead, RequestSender } from './request-parts.tsx';
import { UnsentDialog } from './unsent-dialog.tsx';

type DetailProps = Places & {
  id: string;
  /** The request as the list has it, until its details are loaded. */
  listed: ContactRequest | undefined;
  /** Opens the next request, or the list after the last one. */
  onDone: () => void;
};

const CLAMPED_LENGTH = 400;

/** Everything that somebody has written, as text. */
const Message = ({ text }: { text: string | null }) => {
  const words = useWords(CONTACT);
  const [isAll, setAll] = useState(false);
  if (text === null) return <p className="muted">{words.noMessage}</p>;
  const isLong = text.length > CLAMPED_LENGTH || text.split('\n').length > 5;
  return (
    <>
      <bdi className={isLong && !isAll ? 'text-lines request-clamped' : 'text-lines'}>{text}</bdi>
      {isLong && (
        <Button look="link" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? words.showLess : words.showAll}
        </Button>
      )}
    </>
  );
};

/** One request with its sender, notes and replies. */
export const RequestDetail = (props: DetailProps) => {
  const { id, listed, ownId, previous, next, onDone } = props;
  const words = useWords(CONTACT);
  const say = useSayStatus();
  const query = useQuery(contactRequest(id));
  const [mode, setMode] = useState<ComposerMode>('reply');
  const [isAsking, setAsking] = useState(false);
  // `r` or `n` was pressed before the field was loaded.
  const [isWriting, setWriting] = useState(false);
  const sayMarked = (isDone: boolean, said: string): void =>
    say(said, {
      mutationFn: () => editContactRequest(id, { isDone: !isDone }),
      meta: CONTACT_CHANGE,
      undone: isDone ? words.isNotDone : words.isDone,
    });
  const mark = useMutation({
    mutationFn: (isDone: boolean) => editContactRequest(id, { isDone }),
    meta: CONTACT_CHANGE,
    onSuccess: (_edited, isDone) => sayMarked(isDone, isDone ? words.isDone : words.isNotDone),
  });
  const assign = useMutation({
    mutationFn: (assigneeId: string | null) => assignContactRequest(id, assigneeId),
    meta: CONTACT_CHANGE,
    onSuccess: (assignee) => {
      if (assignee === null) say(words.released);
      else if (assignee.id === ownId) say(words.taken);
      else say(words.given(nameInSentence(assignee)));
    },
  });
  const request = query.data;
  const shown = request ?? listed;
  const isDone = request !== undefined && request.doneAt !== null;
  const isOwn = ownId !== undefined && request?.assignee?.id === ownId;
  const give = (assigneeId: string | null) => !assign.isPending && assign.mutate(assigneeId);
  const take = () => ownId !== undefined && give(isOwn ? null : ownId);
  const change = (isDone: boolean): void =>
    // The callback runs only while this request is open: a person who has opened another one meanwhile stays there.
    mark.mutate(isDone, { onSuccess: () => isDone && onDone() });
  const toggle = () => {
    if (!isDone && hasDraft(draftOf('reply', id))) setAsking(true);
    else change(!isDone);
  };
  const subjectToShow = useSubjectToShow();
  const section = useRef<HTMLElement>(null);
  const findInComposer = <Found extends HTMLElement>(selector: string) =>
    section.current?.querySelector<Found>(`.composer ${selector}`);
  const focusText = () => findInComposer('textarea')?.focus();
  const write = (wanted: ComposerMode): void => {
    // Rendered at once, because the other mode has a field of its own, which must exist to get the focus.
    flushSync(() => setMode(wanted));
    setWriting(!request);
    focusText();
  };
  const startWriting = useEffectEvent(() => isWriting && focusText());
  const isLoaded = request !== undefined;
  useEffect(() => {
    if (isLoaded) startWriting();
  }, [isLoaded]);
  const sendDraft = (): void => {
    flushSync(() => {
      setAsking(false);
      setMode('reply');
    });
    findInComposer<HTMLFormElement>('form')?.requestSubmit();
  };
  usePageKeys({
    j: next,
    k: previous,
    e: request && !mark.isPending ? toggle : undefined,
    a: request && take,
    r: () => write('reply'),
    n: () => write('note'),
  });
  // The button or row that led here may be gone.
  useEffect(() => {
    if (document.activeElement === document.body) section.current?.focus();
  }, []);
  return (
    <section
      ref={section}
      tabIndex={-1}
      className="request-detail"
      aria-label={shown ? subjectToShow(shown) : words.title}
      onKeyDown={({ key, target }) => {
        // Leaves the field and keeps its text, so that single keys act again.
        if (key === 'Escape' && target instanceof HTMLTextAreaElement) section.current?.focus();
      }}
    >
      <RequestBar
        {...props}
        request={request}
        assign={{ isBusy: assign.isPending, run: give }}
        mark={{ isBusy: mark.isPending, run: toggle }}
      />
      <ErrorNotice error={mark.error ?? assign.error} />
      <QueryError query={query} />
      {!request && query.error == null && (
        <>
          <Skeleton />
          {isWriting && <HeldKeys onGiveUp={() => setWriting(false)} />}
        </>
      )}
      {request && (
        <div className="stack">
          <RequestHead request={request} />
          <RequestSender request={request} />
          <div className="card card-body">
            <Message key={id} text={request.message} />
          </div>
          {request.account && <OtherRequests userId={request.account.id} id={id} />}
          <RequestEntries title={words.replies} entries={request.replies} ownId={ownId} />
          <RequestEntries
            title={words.notes}
            hint={words.notesHint}
            entries={request.notes}
            ownId={ownId}
            isPaper
          />
          <RequestComposer
            key={id}
            id={id}
            email={request.email}
            mode={mode}
            setMode={setMode}
            onFinished={isDone ? undefined : () => sayMarked(true, words.sentAndDone)}
            onNext={onDone}
          />
        </div>
      )}
      <UnsentDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onSend={sendDraft}
        onDone={() => {
          setAsking(false);
          change(true);
        }}
      />
    </section>
  );
};
