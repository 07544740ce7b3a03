import { Button } from '../../components/button.tsx';
import { useWords } from '../../words/words.ts';
import { USERS } from './user-words.ts';

/** The way on where a role is what the API would refuse. */
export const TakeRoleFirst = ({ onClick }: { onClick: () => void }) => (
  <Button look="main" onClick={onClick}>
    {useWords(USERS).takeRole}
  </Button>
);
