import type { Operation } from '../../openapi-operations.ts';
import type { Memory } from '../memory.ts';
import type { Checks, Section } from '../probe.ts';
import type { AccountState } from './account-state.ts';

/**
 * No run has a success of these: a person must sign in at a provider, nobody with a platform role can delete the account, and a
 * verification cannot be undone.
 */
const IMPOSSIBLE =
  /^oidcBackchannelLogout$|(?:OidcSignIn|IdentityLink|IdentityUnlink)$|^administratorAccountDelete$|^verifyTeam$/;
/** A GET that sends a mail, or is recorded in the audit log. */
const CHANGING_READ = /(?:EmailCode|AccountExport)$/;

/** There are new users with --write alone. */
type Users = Record<'accounts' | 'newUsers', readonly AccountState[]>;

/** Whether the run has tried the operation: an account of its role or kind was signed in, and it may change what it does. */
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

/** The last section. */
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
