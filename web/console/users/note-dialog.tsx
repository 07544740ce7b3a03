import { useMutation } from '@tanstack/react-query';
import { TextAreaField } from '../../components/forms/fields.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { saveDraft } from '../../session/drafts.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { nameOfUser } from '../records/people.ts';
import type { UserDialogProps } from './block-dialogs.tsx';
import { USER_ACTIONS } from './user-action-words.ts';
import { UserDialog } from './user-dialog.tsx';
import { USER_CHANGE } from './user-queries.ts';
import { WHETHER } from './whether-words.ts';

type Fields = { text: string };

export const NoteDialog = ({ user, ...dialog }: UserDialogProps) => {
  const words = useWords(USER_ACTIONS);
  const whether = useWords(WHETHER);
  const say = useSayStatus();
  const draft = `note.${user.id}`;
  const mutation = useMutation({
    mutationFn: ({ text }: Fields) =>
      backOffice.POST('/users/{id}/notes', { params: { path: { id: user.id } }, body: { text } }),
    meta: { ...USER_CHANGE, whether: whether.note },
    onSuccess: () => {
      saveDraft(draft, '');
      say(words.added);
    },
  });
  return (
    <UserDialog
      user={user}
      {...dialog}
      title={words.noteQuestion(nameOfUser(user))}
      look="main"
      submit={words.addNote}
      submitting={words.adding}
      mutation={mutation}
    >
      <TextAreaField<Fields>
        name="text"
        label={words.note}
        hint={words.noteHint}
        maxLength={2000}
        draft={draft}
      />
    </UserDialog>
  );
};
