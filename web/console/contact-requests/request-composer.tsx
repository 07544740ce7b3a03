import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TextAreaField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { saveDraft } from '../../session/drafts.ts';
import { useWords } from '../../words/words.ts';
import { addContactNote, CONTACT_CHANGE, replyToContact } from './contact-queries.ts';
import { CONTACT } from './contact-words.ts';
import { createUuid, draftOf } from './request.ts';

export type ComposerMode = 'reply' | 'note';
const MAX_LENGTH = { reply: 4_000, note: 2_000 };

/** `only` is the button that sends a reply and leaves the request open. */
type Fields = { text: string; mode: ComposerMode; only?: 'yes' };

type ComposerProps = {
  id: string;
  email: string;
  mode: ComposerMode;
  setMode: (mode: ComposerMode) => void;
  /** Called when a reply has also marked the request as done; undefined if it is done. */
  onFinished: (() => void) | undefined;
  /** Called after that, if this request is still open. */
  onNext: () => void;
};

/** The same id for the same text until it is saved, so that a text that is sent again is stored and mailed once. */
const useEntryId = () => {
  const last = useRef({ content: '', id: '' });
  return {
    get: (content: string): string => {
      if (last.current.content !== content) last.current = { content, id: createUuid() };
      return last.current.id;
    },
    forget: (): void => {
      last.current = { content: '', id: '' };
    },
  };
};

/** A reply and a note share one field, whose draft the tab keeps for each of them. */
export const RequestComposer = ({ id, email, mode, setMode, onFinished, onNext }: ComposerProps) => {
  const words = useWords(CONTACT);
  const say = useSayStatus();
  const [round, setRound] = useState(0);
  const draft = draftOf(mode, id);
  const isReply = mode === 'reply';
  const canFinish = isReply && onFinished !== undefined;
  const entryId = useEntryId();
  const hasFinished = useRef(false);
  const sendLabel = canFinish ? words.sendAndDone : words.send;
  const send = useMutation({
    mutationFn: ({ mode, text, only }: Fields) => {
      const entry = { id: entryId.get(mode + text), text };
      if (mode === 'note') return addContactNote(id, entry);
      return replyToContact(id, { ...entry, isDone: onFinished !== undefined && only === undefined });
    },
    meta: CONTACT_CHANGE,
    // The mode of the form, because the page's may have changed since.
    onSuccess: (_sent, { mode, only }) => {
      entryId.forget();
      saveDraft(draftOf(mode, id), '');
      hasFinished.current = mode === 'reply' && only === undefined && onFinished !== undefined;
      if (hasFinished.current) onFinished?.();
      else say(mode === 'reply' ? words.sent : words.added);
    },
  });
  return (
    <section
      className={isReply ? 'card composer' : 'card composer request-paper'}
      aria-label={words.composer}
      data-sends
    >
      <div className="request-composer-head row">
        {(['reply', 'note'] as const).map((each) => (
          <Button
            key={each}
            isSmall
            look={each === mode ? 'plain' : 'quiet'}
            aria-pressed={each === mode}
            aria-keyshortcuts={each === 'reply' ? 'r' : 'n'}
            onClick={() => setMode(each)}
          >
            {words[each]}
          </Button>
        ))}
        {isReply && <bdi className="muted small">{words.to(email)}</bdi>}
      </div>
      <div className="card-body">
        <Form
          key={`${draft}-${round}`}
          submit={isReply ? sendLabel : words.addNote}
          submitting={isReply ? words.sending : words.saving}
          buttons={
            canFinish && (
              <Button
                type="submit"
                name={'only' satisfies keyof Fields}
                value="yes"
                isUnavailable={send.isPending}
              >
                {words.send}
              </Button>
            )
          }
          mutation={send}
          onSuccess={() => {
            setRound(round + 1);
            if (hasFinished.current) onNext();
          }}
        >
          <TextAreaField<Fields>
            name="text"
            label={isReply ? words.reply : words.note}
            maxLength={MAX_LENGTH[mode]}
            draft={draft}
          />
          <input type="hidden" name={'mode' satisfies keyof Fields} value={mode} />
        </Form>
      </div>
    </section>
  );
};
