import { useQueryClient } from '@tanstack/react-query';
import { readOpened } from './recent.ts';

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
