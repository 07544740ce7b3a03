import { useEffect, useEffectEvent, useState } from 'react';
import type { ListState } from '../../components/lists/list-state.ts';
import { type Place, placesOf } from './request.ts';

type InboxState = ListState<'view' | 'request'>;
type Data = { data: readonly { id: string }[]; total: number };
type InboxQuery = {
  data: Data | undefined;
  isPlaceholderData: boolean;
  isFetching: boolean;
};

/** The request of the address. `first` and `last` become its id once their page is loaded. */
const useChosen = (list: InboxState, ids: readonly string[] | undefined) => {
  const { request } = list.filters;
  const isMoving = request === 'first' || request === 'last';
  const found = request === 'first' ? ids?.[0] : ids?.at(-1);
  const arrive = useEffectEvent(() =>
    list.setFilters({ request: found }, { page: list.page, replace: true }),
  );
  // A page that is gone leads to the last one, which is loaded then.
  const isLoaded = isMoving && ids !== undefined && (ids.length > 0 || list.page === 1);
  useEffect(() => {
    if (isLoaded) arrive();
  }, [isLoaded]);
  return { chosen: isMoving ? undefined : request, isMoving };
};

const idsOf = (data: Data | undefined): string[] => data?.data.map(({ id }) => id) ?? [];

/** The list as it last was with the request in it. */
type Last = { id: string; data: Data };

/** The request after one that has left the list: the nearest one that is still there. */
const findFollowing = ({ id, data }: Last, ids: readonly string[], hasMore: boolean): string | undefined => {
  const before = idsOf(data);
  const still = before.slice(before.indexOf(id) + 1).find((each) => ids.includes(each));
  // The first of the next page has become the last of this one.
  return still ?? (hasMore ? 'last' : undefined);
};

/**
 * Which request is open, its place in the list, and the ways to those beside it.
 * @param readNow the list as it is loaded now, also while an action is under way
 */
export const useInbox = (
  list: InboxState,
  { data, isPlaceholderData, isFetching }: InboxQuery,
  readNow: () => Data | undefined,
) => {
  const { page, perPage } = list;
  const ids = idsOf(data);
  const { chosen, isMoving } = useChosen(
    list,
    // A page from the cache may be old, so that its first request is another one now.
    data === undefined || isPlaceholderData || isFetching ? undefined : ids,
  );
  const places =
    chosen === undefined ? undefined : placesOf({ ids, page, perPage, total: data?.total ?? 0 }, chosen);
  // A request that is done leaves the list, so its neighbours are remembered.
  const [last, setLast] = useState<Last>();
  if (data && chosen !== undefined && ids.includes(chosen) && (last?.id !== chosen || last.data !== data))
    setLast({ id: chosen, data });
  const findNext = (now: Data | undefined): string | undefined =>
    last && last.id === chosen
      ? findFollowing(last, idsOf(now), page * perPage < last.data.total)
      : idsOf(now)[0];
  const left = places?.position === undefined ? findNext(data) : undefined;
  const following = left === undefined ? places?.next : { page, request: left };
  /** Back leads to the list, also after several were looked at. */
  const go = (id: string | undefined, toPage = page): void =>
    list.setFilters({ request: id }, { page: toPage, replace: chosen !== undefined });
  const toOpen = (place: Place | undefined) => place && (() => go(place.request, place.page));
  return {
    chosen,
    isMoving,
    position: places?.position,
    previous: toOpen(places?.previous),
    next: toOpen(following),
    onDone: () => go(findNext(readNow())),
    open: (id: string | undefined) => go(id),
  };
};
