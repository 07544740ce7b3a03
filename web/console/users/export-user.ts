import type { AdminUserDetail } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { useSayStatus } from '../../components/status.tsx';
import { saveFile } from '../../page/save-file.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { USER_HELP } from './user-help-words.ts';
import { USER_CHANGE } from './user-queries.ts';

/** Reads page after page, because a request returns 5,000 audit records at most. */
const readExport = async (id: string) => {
  const path = { id };
  const exported = await backOffice.GET('/users/{id}/export', { params: { path } });
  const auditRecords = [...exported.auditRecords];
  let auditCursor = exported.nextAuditCursor;
  while (auditCursor) {
    const next = await backOffice.GET('/users/{id}/export', { params: { path, query: { auditCursor } } });
    auditRecords.push(...next.auditRecords);
    auditCursor = next.nextAuditCursor;
  }
  return { ...exported, auditRecords, nextAuditCursor: null };
};

/**
 * Downloads the file that the person would get from the own account, for a person who cannot sign in. The platform
 * asks for a recent proof.
 */
export const useExport = ({ id }: AdminUserDetail) => {
  const help = useWords(USER_HELP);
  const say = useSayStatus();
  return useMutation({
    mutationFn: () => readExport(id),
    // The audit log gets a record of the export.
    meta: USER_CHANGE,
    onSuccess: (data) => {
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`${id} ${day}.json`, 'application/json', JSON.stringify(data, undefined, 2));
      say(help.dataSaved);
    },
  });
};
