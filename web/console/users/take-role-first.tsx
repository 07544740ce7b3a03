import { Button } from '../../components/button.tsx';
import { useWords } from '../../words/words.ts';
import { USERS } from './user-words.ts';

/** A button to take the role, where the API would reject an action because of it. */
export const TakeRoleFirst = ({ onClick }: { onClick: () => void }) => (
  <Button look="main" onClick={onClick}>
    {useWords(USERS).takeRole}
  </Button>
);
