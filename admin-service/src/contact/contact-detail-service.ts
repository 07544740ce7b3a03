import { requireMatch } from '@platform/shared/http/entity-tag';
import type { ContactEntryStore } from './contact-entries-store.ts';
import {
  type ContactRequest,
  type ContactRequestDetail,
  contactRequestNotFound,
  toVersion,
} from './contact-request.ts';
import type { ContactStore } from './contact-store.ts';

type Stores = { contact: ContactStore; contactEntries: ContactEntryStore };

const addEntries = async (
  { contactEntries }: Stores,
  form: ContactRequest | undefined,
): Promise<ContactRequestDetail> => {
  if (!form) throw contactRequestNotFound();
  const entries = await contactEntries.listByForm(form.id);
  return { ...form, ...entries, history: await contactEntries.listHistory(form.id) };
};

/** @throws AppError 404 */
export const findDetail = async (stores: Stores, id: string): Promise<ContactRequestDetail> =>
  await addEntries(stores, await stores.contact.find(id));

/** Until the transaction ends, no colleague changes the form. @throws AppError 404 */
export const lockDetail = async (stores: Stores, id: string): Promise<ContactRequestDetail> =>
  await addEntries(stores, await stores.contact.lock(id));

/** @param ifMatch the header If-Match. @throws AppError 412 CHANGED_MEANWHILE */
export const requireUnchanged = (form: ContactRequestDetail, ifMatch: string | undefined): void =>
  requireMatch(ifMatch, toVersion(form));
