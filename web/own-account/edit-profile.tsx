import { useWords } from '../words/words.ts';
import { AccountAction, type AccountActionProps } from './account-action.tsx';
import { OWN_ACCOUNT } from './words.ts';

/** The button and dialog that change the own profile. */
export const EditProfile = <Result,>(
  dialog: Pick<AccountActionProps<Result>, 'text' | 'onSubmit' | 'children'>,
) => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <AccountAction
      {...dialog}
      button={words.edit}
      buttonLabel={words.editProfile}
      title={words.editProfile}
      submit={words.save}
      submitting={words.saving}
      done={() => words.profileSaved}
    />
  );
};
