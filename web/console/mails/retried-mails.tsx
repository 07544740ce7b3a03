import { queryOptions, useQuery } from '@tanstack/react-query';
import { formatList, formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { nameOf } from '../names.ts';
import { get } from '../read.ts';
import type { Mail } from './mail-queries.ts';
import { MAILS } from './mail-words.ts';

const POLL_MILLISECONDS = 2_000;
const PER_PAGE = 100;

/** Reads page after page until each mail is found. A mail that is on no page was sent. */
const readUnsent = async (ids: readonly string[], signal: AbortSignal): Promise<Mail[]> => {
  const found: Mail[] = [];
  for (let page = 1, isEnd = false; !isEnd && found.length < ids.length; page += 1) {
    const { data, total } = await get('/administrator/mails', { query: { page, perPage: PER_PAGE } }, signal);
    found.push(...data.filter(({ id }) => ids.includes(id)));
    isEnd = page * PER_PAGE >= total;
  }
  return found;
};

/** The attempts to subtract: a failed mail counts from 0 when it is sent again. */
const attemptsBefore = ({ state, attempts }: Mail): number => (state === 'failed' ? 0 : attempts);

const judge = (mails: readonly Mail[], unsent: readonly Mail[]) => {
  const now = new Map(unsent.map((mail) => [mail.id, mail]));
  const isTried = (mail: Mail): boolean => {
    const { state, attempts } = now.get(mail.id) ?? mail;
    return state === 'failed' || attempts > attemptsBefore(mail);
  };
  const left = mails.filter(({ id }) => now.has(id));
  const failed = left.filter(isTried);
  return {
    sent: mails.length - left.length,
    pending: left.length - failed.length,
    failed: failed.flatMap(({ id }) => now.get(id) ?? []),
  };
};

const unsentOf = (mails: readonly Mail[]) =>
  queryOptions({
    queryKey: ['mails', 'unsent', mails],
    queryFn: ({ signal }) =>
      readUnsent(
        mails.map(({ id }) => id),
        signal,
      ),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && judge(mails, data).pending === 0 ? false : POLL_MILLISECONDS,
  });

/** Says whether the mails that a colleague has sent again were sent, or why not. */
export const RetriedMails = ({ mails }: { mails: readonly Mail[] }) => {
  const words = useWords(MAILS);
  const { data } = useQuery(unsentOf(mails));
  const { sent, pending, failed } = data
    ? judge(mails, data)
    : { sent: 0, pending: mails.length, failed: [] };
  const causes = formatList([...new Set(failed.map(({ cause }) => nameOf(words.causes, cause ?? 'other')))]);
  return [
    pending > 0 && words.areBeingSent(formatNumber(pending), pending),
    sent > 0 && words.areSent(formatNumber(sent), sent),
    failed.length > 0 && words.areNotSent(formatNumber(failed.length), failed.length, causes),
  ]
    .filter(Boolean)
    .join(' ');
};
