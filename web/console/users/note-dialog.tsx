import { TextAreaField } from '../../components/forms/fields.tsx';
import { saveDraft } from '../../session/drafts.ts';
import { backOffice } from '../back-office.ts';
import type { UserDialogProps } from './block-dialogs.tsx';
import { UserActionDialog, useUserWords } from './user-dialog.tsx';

type Fields = { text: string };

export const NoteDialog = (dialog: UserDialogProps) => {
  const { id } = dialog.user;
  const { words, whether, name } = useUserWords(dialog.user);
  const draft = `note.${id}`;
  return (
    <UserActionDialog
      {...dialog}
      title={words.noteQuestion(name)}
      look="main"
      submit={words.addNote}
      submitting={words.adding}
      whether={whether.note}
      act={({ text }: Fields) =>
        backOffice.POST('/users/{id}/notes', { params: { path: { id } }, body: { text } })
      }
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
