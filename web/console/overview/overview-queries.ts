import { queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';
import { readContactRequests } from '../contact-requests/contact-queries.ts';
import { readMails } from '../mails/mail-queries.ts';

type Count = { total: number; totalCapped?: boolean | undefined };

/** Only the totals are shown. */
const ONE = { page: 1, perPage: 1 };

const count = (name: string, read: (signal: AbortSignal) => Promise<Count>) =>
  queryOptions({
    queryKey: ['overview', name],
    queryFn: async ({ signal }): Promise<Count> => {
      const { total, totalCapped } = await read(signal);
      return { total, totalCapped };
    },
  });

export const teamsToVerify = () =>
  count('teams', async (signal) => {
    const query = { ...ONE, status: 'ONBOARDING' as const };
    return (await backOffice.GET('/administrator/teams', { params: { query }, signal })).meta;
  });

export const formsNotDone = () =>
  count('forms', (signal) => readContactRequests({ ...ONE, kind: undefined, isDone: false }, signal));

export const failedMails = () => count('mails', (signal) => readMails({ ...ONE, state: 'failed' }, signal));
