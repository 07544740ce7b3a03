import { getWords } from '../../words/words.ts';
import { NAMES } from '../names.ts';

type Reference = { name?: string | null; email: string | null };
type Named = { name?: string | null; email: string };

/** The API shows what is left of a deleted account. */
export const isDeleted = ({ email }: { email: string }): boolean => email === 'deleted';

/** The name of a user, or else the address. */
export const nameOfUser = ({ name, email }: Named): string =>
  isDeleted({ email }) ? getWords(NAMES).deletedUser : (name ?? email);

/** The name of a person within a sentence, such as "Blocked by …". */
export const nameInSentence = ({ name, email }: Reference): string =>
  name ?? email ?? getWords(NAMES).byDeletedUser;

/** The name of a person outside of a sentence. A deleted account has neither name nor address. */
export const nameOfReference = ({ name, email }: Reference): string =>
  name ?? email ?? getWords(NAMES).deletedUser;
