import type { Infrastructure } from '../infrastructure.ts';
import { createLists } from './lists-store.ts';
import { createRead } from './replica-adapter.ts';

export const createListsFeature = ({ listConnections, searchConnections, log }: Infrastructure) => {
  const read = createRead(listConnections, log);
  const search = createRead(searchConnections, log);
  return { read, fetchPage: createLists({ read, search }) };
};

export type ListsFeature = ReturnType<typeof createListsFeature>;
