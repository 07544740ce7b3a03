import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CheckBox, TextAreaField } from '../../components/forms/fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { saveDraft } from '../../session/drafts.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import {
  TakeRoleFirst,
  UserActionDialog,
  UserDialog,
  type UserDialogProps,
  useUserDialog,
} from './user-dialog.tsx';
import { USER_HELP } from './user-help-words.ts';
import { USER_CHANGE } from './user-queries.ts';

type BlockFields = { reason: string };

type BlockDialogProps = Omit<UserDialogProps, 'isOpen'> & { devices: number; onTakeRole: () => void };

type Person = { id: string };

const path = ({ id }: Person) => ({ params: { path: { id } } });

export const block = (user: Person) => backOffice.PATCH('/users/{id}/block', path(user));
const unblock = (user: Person) => backOffice.PATCH('/users/{id}/unblock', path(user));
export const addNote = (user: Person, text: string) =>
  backOffice.POST('/users/{id}/notes', { ...path(user), body: { text } });

const REASONS = ['fraud', 'spam', 'takenOver', 'other'] as const;
export type Reason = (typeof REASONS)[number];
/** The API accepts notes of this many characters. */
export const MAX_NOTE = 2000;

type ReasonProps = { reason: Reason; onChoose: (reason: Reason) => void };

/** Why somebody is blocked; colleagues read it in the note. */
export const ReasonChoice = ({ reason, onChoose }: ReasonProps) => {
  const help = useWords(USER_HELP);
  return (
    <fieldset className="stack-small">
      <legend className="label">{help.reason}</legend>
      {REASONS.map((each) => (
        <label key={each} className="field-check">
          <input
            type="radio"
            name="cause"
            value={each}
            checked={each === reason}
            onChange={() => onChoose(each)}
          />
          {help.reasons[each]}
        </label>
      ))}
    </fieldset>
  );
};

/**
 * The reason is the first sentence of a note, which is written right after the block and so belongs to it. What
 * fails after the block stays open, and is done by the next try. It is mounted while it is open only, because the
 * person may be unblocked before it is opened again.
 */
export const BlockDialog = ({ user, onClose, devices, onTakeRole }: BlockDialogProps) => {
  const { words, name, at } = useUserDialog(user);
  const help = useWords(USER_HELP);
  const say = useSayStatus();
  const queries = useQueryClient();
  const [isBlocked, setBlocked] = useState(false);
  const [reason, setReason] = useState<Reason>('other');
  const [endsSessions, setEndsSessions] = useState<boolean>();
  const endsAll = endsSessions ?? reason === 'takenOver';
  const draft = `block.${user.id}`;
  const where = devices > 0 ? words.onDevices(formatNumber(devices), devices) : '';
  const sentence = reason === 'other' ? '' : `${help.reasons[reason]}. `;

  const mutation = useMutation({
    mutationFn: async (fields: BlockFields) => {
      const text = `${sentence}${fields.reason.trim()}`.trim();
      if (!isBlocked) await block(user);
      if (text !== '' || endsAll) setBlocked(true);
      if (endsAll) await backOffice.DELETE('/users/{id}/sessions', at);
      if (text !== '') await addNote(user, text);
    },
    meta: { ...USER_CHANGE, whether: words.whether.blocked(name) },
    // The block may have worked although a later request has failed.
    onError: () => void queries.invalidateQueries(),
    onSuccess: () => {
      saveDraft(draft, '');
      say(words.blocked(name), {
        mutationFn: () => unblock(user),
        meta: USER_CHANGE,
        undone: words.unblocked(name),
      });
    },
  });
  const dialog = { user, title: words.blockQuestion(name), isOpen: true, onClose };
  if (user.roles.includes('ADMIN'))
    return (
      <TakeRoleFirst {...dialog} onTakeRole={onTakeRole}>
        <p>{words.blockAdmin(name)}</p>
      </TakeRoleFirst>
    );
  return (
    <UserDialog
      {...dialog}
      submit={isBlocked ? help.doRest : words.block}
      submitting={isBlocked ? help.doingRest : words.blocking}
      look={isBlocked ? 'main' : 'danger'}
      mutation={mutation}
    >
      {isBlocked ? (
        <Notice look="warn">{help.restFailed(name)}</Notice>
      ) : (
        <p>{words.blockText(name, where)}</p>
      )}
      <ReasonChoice reason={reason} onChoose={setReason} />
      <TextAreaField<BlockFields>
        name="reason"
        label={help.note}
        hint={help.noteHint}
        maxLength={MAX_NOTE - sentence.length}
        isOptional
        draft={draft}
      />
      <div className="stack-small">
        <CheckBox checked={endsAll} onChange={({ target }) => setEndsSessions(target.checked)}>
          {help.endAll}
        </CheckBox>
        <p className="muted small">{help.endAllHint}</p>
      </div>
    </UserDialog>
  );
};

export const UnblockDialog = (dialog: UserDialogProps) => {
  const { user } = dialog;
  const { words, name } = useUserDialog(user);
  const note = user.block?.note;
  // A block has its reason in the note that follows it.
  const blockAgain = async () => {
    await block(user);
    if (note) await addNote(user, note);
  };
  return (
    <UserActionDialog
      {...dialog}
      title={words.unblockQuestion(name)}
      look="main"
      submit={words.unblock}
      submitting={words.unblocking}
      whether={words.whether.blocked(name)}
      act={() => unblock(user)}
      done={() => words.unblocked(name)}
      undo={{ mutationFn: blockAgain, meta: USER_CHANGE, undone: words.blocked(name) }}
    >
      <p>{words.unblockText(name)}</p>
    </UserActionDialog>
  );
};
