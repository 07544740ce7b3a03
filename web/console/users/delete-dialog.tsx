import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { NAMES, nameOf } from '../names.ts';
import { findPlatformRole } from '../records/user.ts';
import { useExport } from './export-user.ts';
import { TakeRoleFirst, UserActionDialog, type UserDialogProps, useUserDialog } from './user-dialog.tsx';

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

type Fields = { email: string };

type DeleteDialogProps = UserDialogProps & { onTakeRole: () => void };

/** A deletion cannot be undone, so the dialog asks for the address. */
export const DeleteDialog = ({ user, onTakeRole, ...dialog }: DeleteDialogProps) => {
  const { words, name, at } = useUserDialog(user);
  const names = useWords(NAMES);
  const role = findPlatformRole(user);
  const data = useExport(user);
  const deleteUser = async ({ email }: Fields) => {
    // Checked again, because a browser ignores a `pattern` that it cannot parse, and a deletion cannot be undone.
    if (email.trim() !== user.email) throw new TypeError('The address was not typed');
    await backOffice.DELETE('/users/{id}', at);
  };
  if (role !== undefined)
    return (
      <TakeRoleFirst {...dialog} user={user} title={words.deleteQuestion(name)} onTakeRole={onTakeRole}>
        <p>{words.deleteRole(name, nameOf(names.roles, role))}</p>
      </TakeRoleFirst>
    );
  return (
    <UserActionDialog
      user={user}
      {...dialog}
      title={words.deleteQuestion(name)}
      submit={words.delete}
      submitting={words.deleting}
      whether={words.whether.deleted(name)}
      act={deleteUser}
      done={() => words.erased(name)}
    >
      <div className="stack-small">
        <p>
          <span className="strong">{words.goes}</span> {words.goesWhat}
        </p>
        <p>
          <span className="strong">{words.stays}</span> {words.staysWhat}
        </p>
        <p>{words.deleteText(name)}</p>
      </div>
      <div>
        <Button isSmall mutation={data} busyLabel={words.downloading}>
          {words.downloadFirst}
        </Button>
        <ErrorNotice error={data.error} />
      </div>
      <TextField<Fields>
        name="email"
        label={words.typeEmail(user.email)}
        pattern={`\\s*${escapePattern(user.email)}\\s*`}
        invalid={words.emailDiffers}
        autoComplete="off"
        spellCheck={false}
      />
    </UserActionDialog>
  );
};
