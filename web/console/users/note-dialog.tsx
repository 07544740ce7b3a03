import { TextAreaField } from '../../components/forms/fields.tsx';
import { saveDraft } from '../../session/drafts.ts';
import { addNote, MAX_NOTE } from './block-dialogs.tsx';
import { UserActionDialog, type UserDialogProps, useUserDialog } from './user-dialog.tsx';

type Fields = { text: string };

export const NoteDialog = (dialog: UserDialogProps) => {
  const { words, name } = useUserDialog(dialog.user);
  const draft = `note.${dialog.user.id}`;
  return (
    <UserActionDialog
      {...dialog}
      title={words.noteQuestion(name)}
      look="main"
      submit={words.addNote}
      submitting={words.adding}
      whether={words.whether.note}
      act={({ text }: Fields) => addNote(dialog.user, text)}
      done={() => {
        saveDraft(draft, '');
        return words.added;
      }}
    >
      <TextAreaField<Fields>
        name="text"
        label={words.note}
        hint={words.noteHint}
        maxLength={MAX_NOTE}
        draft={draft}
      />
    </UserActionDialog>
  );
};
