import type { Base } from '../infrastructure.ts';
import { contactRoutes } from './contact-routes.ts';
import { type ContactStores, createContactService } from './contact-service.ts';

export const createContactFeature = (base: Base<ContactStores, { contactInbox: string }>) => ({
  routes: contactRoutes(createContactService(base)),
});
