import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { StateLook } from '../../components/state.tsx';
import { readDraft, saveDraft } from '../../session/drafts.ts';

/** The name of a record that a list or the search has shown, for the heading while its page loads. */
export const useKnownName = <Row>(
  place: 'users' | 'projects' | 'teams',
  id: string,
  nameOf: (row: Row) => string,
): string | undefined => {
  const queries = useQueryClient();
  const lists = queries.getQueriesData<{ data: readonly (Row & { id: string })[] }>({
    queryKey: [place, 'list'],
  });
  const listed = lists.flatMap(([, page]) => page?.data ?? []).find((row) => row.id === id);
  return listed ? nameOf(listed) : readOpened().find(({ href }) => href === `/${place}/${id}`)?.name;
};

export type Kind = 'person' | 'project' | 'team' | 'request' | 'command';
/** A person, project, team, request or command that the search finds or that somebody has opened. */
export type Hit = {
  href: string;
  kind: Kind;
  name: string;
  /** A second text, such as the address of a person. */
  detail?: string | undefined;
  state?: { look: StateLook; word: string } | undefined;
};

/** The list is kept as a draft: in this tab, until somebody signs out. */
const DRAFT = 'search.opened';
const MOST = 8;
/** Commands are always in the list, so they are not remembered. */
const KINDS: readonly unknown[] = ['person', 'project', 'team', 'request'];

const isHit = (entry: unknown): entry is Hit => {
  const { href, kind, name } = (entry ?? {}) as Partial<Hit>;
  return typeof href === 'string' && typeof name === 'string' && KINDS.includes(kind);
};

export const readOpened = (): Hit[] => {
  try {
    const stored: unknown = JSON.parse(readDraft(DRAFT) || '[]');
    return Array.isArray(stored) ? stored.filter(isHit) : [];
  } catch {
    return [];
  }
};

export const noteOpened = ({ state: _state, ...hit }: Hit): void => {
  if (!KINDS.includes(hit.kind)) return;
  const others = readOpened().filter(({ href }) => href !== hit.href);
  saveDraft(DRAFT, JSON.stringify([hit, ...others].slice(0, MOST)));
};

/** Remembers what a page shows, however somebody came to it; undefined until it is loaded. */
export const useNoteOpened = (hit: Hit | undefined): void => {
  const entry = hit && JSON.stringify(hit);
  useEffect(() => {
    if (entry !== undefined) noteOpened(JSON.parse(entry) as Hit);
  }, [entry]);
};
