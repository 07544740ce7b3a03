import type { Database } from '@platform/shared/db/database';
import type { ContactForm } from '@platform/shared/platform/mail/mail';

export const createContactStore = (database: Database) => ({
  add: async (table: 'lead_requests' | 'support_requests', form: ContactForm) => {
    await database(table).insert(form);
  },
});

export type ContactStore = ReturnType<typeof createContactStore>;
