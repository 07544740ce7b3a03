import { useLocation, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';

export const PAGE_SIZES = [20, 50, 100] as const;
const DEFAULT_SIZE = PAGE_SIZES[0];

const toNumber = (text: string | null, isAllowed: (value: number) => boolean, fallback: number): number => {
  const value = Number(text);
  return text !== null && Number.isSafeInteger(value) && isAllowed(value) ? value : fallback;
};

type Entry = { search?: string } | null;

/** Reads only what the list has, because an address can be typed by hand. */
const readFilters = <Name extends string>(
  params: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> =>
  Object.fromEntries(
    names.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])),
  ) as Partial<Record<Name, string>>;

/**
 * Where somebody is in a list. Filters, page and page size are in the address, so that they survive reload, back
 * and a new tab. The typed search is personal data: it is in the state of the history entry, which back and
 * reload keep.
 */
export const useListState = <Name extends string = never>(names: readonly Name[] = []) => {
  const [params] = useSearchParams();
  const [location, navigate] = useLocation();
  const search = useHistoryState<Entry>()?.search ?? '';
  const page = toNumber(params.get('page'), (value) => value >= 1, 1);
  const perPage = toNumber(
    params.get('perPage'),
    (value) => PAGE_SIZES.some((size) => size === value),
    DEFAULT_SIZE,
  );
  const filters = readFilters(params, names);
  const sort = params.get('sort') ?? undefined;

  const go = (
    changes: Record<string, string | undefined>,
    options: { replace?: boolean; search?: string } = {},
  ) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes))
      if (value) next.set(name, value);
      else next.delete(name);
    const query = next.size > 0 ? `?${next}` : '';
    navigate(location + query, {
      replace: options.replace ?? false,
      state: { search: options.search ?? search },
    });
  };

  return {
    search,
    page,
    perPage,
    filters,
    /** The order as the address has it; anybody can type it, so it may be invalid. */
    sort,
    isFiltered: search !== '' || Object.keys(filters).length > 0,
    setSearch: (text: string) => go({ page: undefined }, { replace: true, search: text }),
    setFilter: (name: Name, value: string | undefined) => go({ [name]: value, page: undefined }),
    /** Shows the first page again, unless `page` says otherwise. */
    setFilters: (
      changes: Partial<Record<Name, string | undefined>>,
      { page: next = 1, ...options }: { page?: number; replace?: boolean } = {},
    ) =>
      go(
        { ...(changes as Record<string, string | undefined>), page: next === 1 ? undefined : String(next) },
        options,
      ),
    setSort: (next: string) => go({ sort: next, page: undefined }),
    setPage: (next: number, options?: { replace: boolean }) =>
      go({ page: next === 1 ? undefined : String(next) }, options),
    setPerPage: (size: number) =>
      go({ perPage: size === DEFAULT_SIZE ? undefined : String(size), page: undefined }),
    clear: () =>
      go({ ...Object.fromEntries(names.map((name) => [name, undefined])), page: undefined }, { search: '' }),
  };
};

export type ListState<Name extends string = never> = ReturnType<typeof useListState<Name>>;
