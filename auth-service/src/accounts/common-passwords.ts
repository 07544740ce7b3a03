import { dictionary } from '@zxcvbn-ts/language-common';

/** Tells the most common passwords, in lower case, of a list that is kept by others; without it none is common. */
export const createCommonPasswords = (isUsed: boolean): ((password: string) => boolean) => {
  const passwords = new Set(isUsed ? dictionary['passwords-common'] : []);
  return (password) => passwords.has(password);
};
