import type { AdminUser } from '@platform/client';
import { Button } from '../../components/button.tsx';
import { BlockIcon, SignOutIcon } from '../../components/icons.tsx';
import { useWords } from '../../words/words.ts';
import { USER_LIST } from './user-list-words.ts';

/** What is done to the people who were selected when its dialog was opened. */
export type UsersAction = { name: 'block' | 'end'; users: readonly AdminUser[]; onDone: () => void };

type ActionsProps = Omit<UsersAction, 'name'> & { onChoose: (action: UsersAction) => void };

/** The buttons of the actions on the selected people. */
export const UsersActions = ({ onChoose, ...chosen }: ActionsProps) => {
  const words = useWords(USER_LIST);
  return (
    <>
      <Button look="danger-quiet" onClick={() => onChoose({ name: 'block', ...chosen })}>
        <BlockIcon />
        {words.block}
      </Button>
      <Button look="quiet" onClick={() => onChoose({ name: 'end', ...chosen })}>
        <SignOutIcon />
        {words.endSessions}
      </Button>
    </>
  );
};
