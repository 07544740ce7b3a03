import { expect } from 'chai';
import type { HttpResponse } from './http-client.ts';
import type { Operation } from './openapi-operations.ts';
import { queryDatabase } from './query-database.ts';

/** How many seconds ago sessions were signed in, and proved; by default a proof is valid for 900 s. */
const PROOFS = {
  'only a recent sign-in': { signedIn: 800, proved: null, isAccepted: true },
  'a recent proof': { signedIn: 86_400, proved: 800, isAccepted: true },
  'a proof that is too old': { signedIn: 86_400, proved: 1_000, isAccepted: false },
  'no proof since an old sign-in': { signedIn: 86_400, proved: null, isAccepted: false },
} as const;
export type ProofName = keyof typeof PROOFS;
export const PROOF_NAMES = Object.keys(PROOFS) as ProofName[];

/** Moves the sign-in and the latest proof of all sessions of a user. */
export const setProof = async (
  url: string,
  { userId, proof = 'no proof since an old sign-in' }: { userId: string; proof?: ProofName },
): Promise<void> => {
  const { signedIn, proved } = PROOFS[proof];
  await queryDatabase(
    url,
    `update token_records set created_at = now() - make_interval(secs => $2),
       proved_at = now() - make_interval(secs => $3) where user_id = $1`,
    [userId, signedIn, proved],
  );
};

/** Only operations with `x-recent-proof` depend on it, and judge it before the rest of the request. */
export const expectProofJudged = (
  { needsRecentProof, name }: Operation,
  proof: ProofName,
  { status, body }: Pick<HttpResponse, 'status' | 'body'>,
): void => {
  if (!needsRecentProof) {
    expect(body.code, name).not.to.equal('PROOF_REQUIRED');
    return;
  }
  const expected = PROOFS[proof].isAccepted ? [400, 'VALIDATION_FAILED'] : [403, 'PROOF_REQUIRED'];
  expect([status, body.code], name).to.deep.equal(expected);
};
