import { toFullName } from '../../words/full-name.ts';

type Owner = { email: string; firstName: string | null; lastName: string | null };

/** Undefined if the account of the owner is deleted. */
export const nameOfOwner = (owner: Owner): string | undefined =>
  toFullName(owner) ?? (owner.email === 'deleted' ? undefined : owner.email);

export const EDITABLE = ['title', 'description', 'category'] as const;
export type Field = (typeof EDITABLE)[number];
export type Texts = Record<Field, string>;

/** Trims as the API does, so that only real changes count. */
const normalize = (text: string): string => text.trim();

/** The fields that somebody has changed. */
export const findChanges = (before: Texts, after: Texts): Field[] =>
  EDITABLE.filter((field) => normalize(before[field]) !== normalize(after[field]));

/** Only the changed fields are sent, so that two people can edit different ones. */
export const toUpdate = (before: Texts, after: Texts): Partial<Texts> =>
  Object.fromEntries(findChanges(before, after).map((field) => [field, normalize(after[field])]));
