import { readDraft, saveDraft } from '../../session/drafts.ts';
import type { Hit } from './hits.ts';

/** As what was typed and not sent: in this tab, until somebody signs out. */
const DRAFT = 'search.opened';
const MOST = 8;

export const readOpened = (): Hit[] => {
  try {
    return JSON.parse(readDraft(DRAFT) || '[]') as Hit[];
  } catch {
    return [];
  }
};

export const noteOpened = ({ state: _state, ...hit }: Hit): void => {
  if (hit.kind === 'command') return;
  const others = readOpened().filter(({ href }) => href !== hit.href);
  saveDraft(DRAFT, JSON.stringify([hit, ...others].slice(0, MOST)));
};
