import { unavailable } from '@platform/shared/errors/app-error';
import type { AdminOperations } from '../operations.ts';
import type { QueueSession } from '../queue-session.ts';

type Options = { open: QueueSession['open']; hasQueues: boolean };

export const queueRoutes = ({ open, hasQueues }: Options): Pick<AdminOperations, 'openQueues'> => ({
  openQueues: ({ caller }) => {
    if (!hasQueues) throw unavailable('The queues cannot be shown: REDIS_URL is not set');
    return { status: 204, cookies: [open(caller)] };
  },
});
