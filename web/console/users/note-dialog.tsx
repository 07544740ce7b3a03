import { TextAreaField } from '../../components/forms/fields.tsx';
import { saveDraft } from '../../session/drafts.ts';
import { backOffice } from '../back-office.ts';
import { UserActionDialog, type UserDialogProps, useUserDialog } from './user-dialog.tsx';

type Fields = { text: string };

export const NoteDialog = (dialog: UserDialogProps) => {
  const { words, name, at } = useUserDialog(dialog.user);
  const draft = `note.${dialog.user.id}`;
  return (
    <UserActionDialog
      {...dialog}
      title={words.noteQuestion(name)}
      look="main"
      submit={words.addNote}
      submitting={words.adding}
      whether={words.whether.note}
      act={({ text }: Fields) => backOffice.POST('/users/{id}/notes', { ...at, body: { text } })}
      done={() => {
        saveDraft(draft, '');
        return words.added;
      }}
    >
      <TextAreaField<Fields>
        name="text"
        label={words.note}
        hint={words.noteHint}
        maxLength={2000}
        draft={draft}
      />
    </UserActionDialog>
  );
};
