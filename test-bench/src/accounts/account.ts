import { notFound } from '@platform/shared/errors/app-error';

/** An account, or an invitation whose person has no account yet. `email` is null after its deletion. */
export type LabelledAccount = { id: string; label: string; email: string | null };

export const personNotFound = () => notFound('PERSON_NOT_FOUND', 'This person belongs to no label');
