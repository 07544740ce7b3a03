import { useEffect, useEffectEvent, useState } from 'react';
import type { ListState } from '../../components/list-state.ts';
import { type Place, placesOf } from './request.ts';

type InboxState = ListState<'view' | 'request'>;
type InboxQuery = {
  data: { data: readonly { id: string }[]; total: number } | undefined;
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

/** Which request is open, its place in the list, and the ways to those beside it. */
export const useInbox = (list: InboxState, { data, isPlaceholderData, isFetching }: InboxQuery) => {
  const { page, perPage } = list;
  const ids = data?.data.map(({ id }) => id) ?? [];
  const { chosen, isMoving } = useChosen(
    list,
    // Another page may have been kept from before, and its first one have moved.
    data === undefined || isPlaceholderData || isFetching ? undefined : ids,
  );
  const places =
    chosen === undefined ? undefined : placesOf({ ids, page, perPage, total: data?.total ?? 0 }, chosen);
  // A request that is done leaves the list, and the first of the next page becomes the last of this one.
  const nextOnPage = places?.next && (places.next.page === page ? places.next.request : 'last');
  // So the request after it is remembered.
  const [last, setLast] = useState<{ id: string | undefined; next: string | undefined }>();
  if (places?.position !== undefined && (last?.id !== chosen || last?.next !== nextOnPage))
    setLast({ id: chosen, next: nextOnPage });
  const following =
    places?.position === undefined && last?.id === chosen && last?.next !== undefined
      ? { page, request: last.next }
      : places?.next;
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
    onDone: () => go(last?.id === chosen ? last?.next : nextOnPage),
    open: (id: string | undefined) => go(id),
  };
};
