import type { Database } from '@platform/shared/db/database';

type LeadRequest = { name: string; email: string; phone?: string; company?: string; message?: string };
type SupportRequest = { email: string; subject: string; message: string; name?: string };

export const createContactStore = (database: Database) => ({
  addLead: async ({ name, email, phone, company, message }: LeadRequest, address: string): Promise<void> => {
    await database.query({
      name: 'add-lead-request',
      text: `insert into lead_requests (name, email, phone, company, message, address)
        values ($1, $2, $3, $4, $5, $6)`,
      values: [name, email, phone, company, message, address],
    });
  },

  addSupport: async ({ email, subject, message, name }: SupportRequest, address: string): Promise<void> => {
    await database.query({
      name: 'add-support-request',
      text: `insert into support_requests (email, subject, message, name, address) values ($1, $2, $3, $4, $5)`,
      values: [email, subject, message, name, address],
    });
  },
});
