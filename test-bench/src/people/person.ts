import { randomBytes } from 'node:crypto';
import { validationFailed } from '@platform/shared/errors/app-error';

export type PersonKind = 'customer' | 'employee' | 'ADMIN' | 'OPERATOR' | 'ARBITER';
export type Addition = 'app' | 'passkey' | 'stay';

/** A person to make. */
export type NewPerson = {
  label: string;
  is: keyof typeof STATES;
  kind: PersonKind;
  with: readonly Addition[];
  profile: { firstName?: string; lastName?: string; phone?: string } | undefined;
  language: string | undefined;
};

/** The state of a session in a browser. */
export type OpenSession = { token: string; sessionId: string; fingerprint: string; refreshToken: string };

/** The passkey in the form that a virtual authenticator takes. */
type Credential = {
  credentialId: string;
  isResidentCredential: boolean;
  rpId: string;
  privateKey: string;
  userHandle: string;
  signCount: number;
};

export type Person = {
  id: string;
  label: string;
  kind: PersonKind;
  email: string;
  password?: string;
  network: string;
  app?: { secret: string };
  recoveryCodes?: string[];
  passkey?: { credential: Credential };
  invitation?: { code: string };
  session?: OpenSession;
};

type State = { kinds: readonly PersonKind[]; additions: readonly Addition[] };

const PROFILE_KINDS: readonly PersonKind[] = ['customer', 'employee'];
const ROLES: readonly PersonKind[] = ['ADMIN', 'OPERATOR', 'ARBITER'];
const ALL: readonly Addition[] = ['app', 'passkey', 'stay'];
const FACTORS: readonly Addition[] = ['app', 'passkey'];

/** The kinds that can be in a state, and what they can have in it. */
const STATES = {
  verified: { kinds: [...PROFILE_KINDS, ...ROLES], additions: ALL },
  // Second factors need a verified address.
  unverified: { kinds: PROFILE_KINDS, additions: ['stay'] },
  // A platform role must be removed before a block.
  blocked: { kinds: PROFILE_KINDS, additions: FACTORS },
  paused: { kinds: [...PROFILE_KINDS, ...ROLES], additions: ALL },
  deleted: { kinds: PROFILE_KINDS, additions: [] },
  invited: { kinds: ROLES, additions: [] },
  'provider-only': { kinds: PROFILE_KINDS, additions: [] },
  'role-removed': { kinds: ROLES, additions: FACTORS },
  'last-team-administrator': { kinds: ['employee'], additions: ALL },
  // No kind has restricted rights in this release.
  restricted: { kinds: [], additions: [] },
} as const satisfies Record<string, State>;

/** The fingerprint of a new device. */
export const createFingerprint = (): string => `test-bench-${randomBytes(8).toString('hex')}`;

export const isRole = (kind: PersonKind): kind is 'ADMIN' | 'OPERATOR' | 'ARBITER' => ROLES.includes(kind);

/** @throws AppError 400 VALIDATION_FAILED for a word that does not fit the kind */
export const requireFitting = ({ is, kind, with: additions, profile }: NewPerson): void => {
  const state: State = STATES[is];
  const reject = (path: string, message: string): never => {
    throw validationFailed('The words do not fit together', [{ path, message, rule: 'enum' }]);
  };
  if (!state.kinds.includes(kind)) reject('/body/is', `must fit the kind ${kind}`);
  for (const [index, addition] of additions.entries())
    if (!state.additions.includes(addition) || (addition === 'stay' && isRole(kind)))
      reject(`/body/with/${index}`, `must fit the kind ${kind} that is ${is}`);
  if (profile && (isRole(kind) || is === 'provider-only'))
    reject('/body/profile', 'must be absent: the person has none');
};
