import { getWords } from '../../words/words.ts';
import { NAMES } from '../names.ts';

type Named = { name?: string | null; email: string };

/** The API shows what is left of a deleted account. */
export const isDeleted = ({ email }: { email: string }): boolean => email === 'deleted';

/** The name of a user, or else the address. */
export const nameOfUser = ({ name, email }: Named): string =>
  isDeleted({ email }) ? getWords(NAMES).deletedUser : (name ?? email);

/** Who did something, or whose it is. A deleted account has neither name nor address. */
export const nameOfReference = ({ name, email }: { name?: string | null; email: string | null }): string =>
  name ?? email ?? getWords(NAMES).deletedUser;
