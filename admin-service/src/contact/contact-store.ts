import type { Database } from '@platform/shared/db/database';

type LeadRequest = { name: string; email: string; phone?: string; company?: string; message?: string };
type SupportRequest = { email: string; subject: string; message: string; name?: string };

export const createContactStore = (database: Database) => ({
  addLead: async (request: LeadRequest, address: string): Promise<void> => {
    await database('lead_requests').insert({ ...request, address });
  },

  addSupport: async (request: SupportRequest, address: string): Promise<void> => {
    await database('support_requests').insert({ ...request, address });
  },
});
