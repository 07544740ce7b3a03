import { useQuery } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';

const PATHS = { OPERATOR: '/operator/me', ARBITER: '/arbiter/me' } as const;

/** What the platform says about the caller in the workspace of their role. */
export const useWorkspace = (role: keyof typeof PATHS) =>
  useQuery({
    queryKey: ['workspace', role],
    queryFn: ({ signal }) => backOffice.GET(PATHS[role], { signal }),
  });
