import { readDraft, saveDraft } from './drafts.ts';

const DRAFT = 'removed-by-proof';

/** Keeps in this tab what a sign-in has removed as the first proof of the address, until the own account says so. */
export const rememberRemoved = ({ removedByProof = [] }: { removedByProof?: readonly string[] }): void =>
  saveDraft(DRAFT, removedByProof.join(' '));

/** `password`, `profile` (names and phone), and what later releases of the platform may remove. */
export const readRemoved = (): string[] => readDraft(DRAFT).split(' ');

export const forgetRemoved = (): void => saveDraft(DRAFT, '');
