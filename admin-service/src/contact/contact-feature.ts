import type { Base } from '../infrastructure.ts';
import type { ListsFeature } from '../lists/lists-feature.ts';
import { contactRoutes } from './contact-routes.ts';
import { type ContactStores, createContactService } from './contact-service.ts';

export const createContactFeature = (
  base: Base<ContactStores, { contactInbox: string }>,
  { lists }: { lists: ListsFeature },
) => ({
  routes: contactRoutes({ ...lists, contact: createContactService(base) }),
});
