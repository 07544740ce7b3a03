import { randomUUID } from 'node:crypto';
import type { Ledger } from './expected-state.ts';
import type { Journal } from './request-log.ts';

type Books = { journal: Journal; ledger: Ledger; adminToken: string };

const LISTS = {
  'users list': '/api/v1/users?perPage=20&role=CUSTOMER',
  'projects list': '/api/v1/projects?perPage=20&search=edit',
  'teams list': '/api/v1/administrator/teams?perPage=20',
} as const;

export type List = keyof typeof LISTS;

/** What administrators and the landing page do, each booked when it is acknowledged. */
export const createOfficeSteps = ({ journal, ledger, adminToken }: Books) => {
  const headers = { Authorization: `Bearer ${adminToken}` };

  return {
    list: async (list: List): Promise<void> => {
      await journal.send(list, { method: 'GET', path: LISTS[list], headers }, 200);
    },

    /** Answers the project, or nothing when nobody can say any more what its title is. */
    edit: async (projectId: string): Promise<string | undefined> => {
      const title = `Edit ${randomUUID()}`;
      const before = ledger.titles.get(projectId);
      if (before) ledger.titles.set(projectId, { ...before, titles: [...before.titles, title] });
      const path = `/api/v1/projects/${projectId}`;
      const answer = await journal.send(
        'project edit',
        { method: 'PATCH', path, headers, body: { title } },
        200,
      );
      if (!answer) return undefined;
      ledger.titles.set(projectId, { titles: [title], at: Date.now() });
      ledger.acknowledged += 1;
      return projectId;
    },

    /** Answers what its mail can be told by, once it is acknowledged. */
    submitForm: async (form: 'lead' | 'support'): Promise<string | undefined> => {
      const marker = `form-${randomUUID()}`;
      const email = 'visitor@example.com';
      const body =
        form === 'lead'
          ? { name: 'Ada', email, message: marker }
          : { email, subject: 'Support', message: marker };
      const call = { method: 'POST', path: `/api/v1/contact/${form}`, body } as const;
      if (!(await journal.send('contact form', call, 204))) return undefined;
      ledger.mails.set(marker, { at: Date.now() });
      ledger.acknowledged += 1;
      return marker;
    },
  };
};

export type OfficeSteps = ReturnType<typeof createOfficeSteps>;
