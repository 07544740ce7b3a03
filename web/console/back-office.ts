import { settleLostAnswers } from '../session/lost-answers.ts';
import { createPageClient } from '../session/platform.ts';
import { askForProof } from './ask-for-proof.ts';

const client = createPageClient('administrator', { onProofRequired: askForProof });

/** More records than an ADMIN causes within the time that a lost answer is asked about. */
const LATEST_RECORDS = 100;

/** Each write of the back office and its audit record are one transaction, and the record has the request's id. */
const wasCarriedOut = async (requestId: string): Promise<boolean> => {
  const actorId = client.getSnapshot().user?.id;
  const query = { perPage: LATEST_RECORDS, ...(actorId !== undefined && { actorId }) };
  const { data } = await client.GET('/administrator/audit-log', { params: { query } });
  return data.some((record) => record.requestId === requestId);
};

/**
 * The client of all screens of the console. A call that needs a recent proof asks for it, and then goes on. A
 * write whose answer was lost resolves or rejects with what the server says afterwards.
 */
export const backOffice = settleLostAnswers(client, wasCarriedOut);
