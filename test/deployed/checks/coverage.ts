import type { Operation } from '@platform/shared/testing/openapi-operations';
import type { Memory } from '../memory.ts';
import type { Checks, Section } from '../probe.ts';
import type { AccountState } from './account-state.ts';

/**
 * Operations that cannot succeed in any run: a person must sign in at a provider or on a new device, no account with a platform
 * role can be deleted by its owner, no user has a passkey, an identity or a pause, a role needs a verified
 * address of an allowed domain, a verification cannot be undone, a reply would be mailed to a person, and only a mail that
 * waits or has failed can be retried or deleted. A code that an administrator sends would replace the one that a check reads.
 */
const IMPOSSIBLE =
  /^oidcBackchannelLogout$|(?:OidcSignIn|IdentityLink|IdentityUnlink)$|^administratorAccountDelete$|^assignPlatformRole$|^verifyTeam$|^(?:retry|delete)Mail$|^replyToContactRequest$|^invitation(?:Check|Accept)$|^botCheckChallenge$|SignInSecondFactorEmailCode$|^(?:removePasskey|unlinkIdentity|endPause)OfUser$|^send(?:Reset|Verification)Mail$/;
/** GET operations that send a mail or write an audit record. */
const CHANGING_READ = /(?:EmailCode|AccountExport)$|^exportUser$/;

/** New users exist only with --write. */
type Users = Record<'accounts' | 'newUsers', readonly AccountState[]>;

/**
 * Whether the run should have called the operation: it had an account of the right role or kind, and the
 * permission to change such data.
 */
const isExpected = ({ id, method, role, scheme }: Operation, { accounts, newUsers }: Users): boolean => {
  const isReading = method === 'GET' && !CHANGING_READ.test(id);
  const isWriting = newUsers.length > 0;
  if (IMPOSSIBLE.test(id) || (role && !isReading && !isWriting)) return false;
  const signedIn = [...(isReading || role ? accounts : []), ...newUsers].filter(({ user }) => user);
  if (role) return signedIn.some(({ user }) => user?.platformRole === role);
  const [kind] = /^(?:customer|employee|administrator)(?=[A-Z])/.exec(id) ?? [];
  if (kind) return signedIn.some((state) => state.kind.kind === kind);
  return isReading ? scheme === undefined || signedIn.length > 0 : isWriting;
};

/** The last section: the operations that no check has tried. */
export const coverageSection = (memory: Memory, users: Users): Section => ({
  title: 'Documented operations',
  checks: () => {
    const untried = memory.listUntried().filter((operation) => isExpected(operation, users));
    const failures = untried.map(({ method, template }): Checks => {
      const name = `${method} ${template}: a success`;
      return { [name]: async ({ check }) => check(false, 'no request had one') };
    });
    return [...failures, { 'a success of all others that these accounts can call': async () => undefined }];
  },
});
