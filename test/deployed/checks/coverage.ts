import type { Operation } from '../../openapi-operations.ts';
import type { Memory } from '../memory.ts';
import type { Section } from '../probe.ts';
import type { AccountState } from './account-state.ts';

/**
 * No run has a success of these: a person must sign in at a provider, nobody with a platform role can delete the account, and a
 * verification cannot be undone.
 */
const IMPOSSIBLE =
  /^oidcBackchannelLogout$|(?:OidcSignIn|IdentityLink|IdentityUnlink)$|^administratorAccountDelete$|^verifyTeam$/;
/** A GET that sends a mail, or is recorded in the audit log. */
const CHANGING_READ = /(?:EmailCode|AccountExport)$/;

type Options = {
  memory: Memory;
  accounts: readonly AccountState[];
  /** Empty without --write. */
  newUsers: readonly AccountState[];
};

/** Whether the run has tried the operation: an account of its role or kind was signed in, and it may change what it does. */
const isExpected = ({ id, method, role, scheme }: Operation, { accounts, newUsers }: Options): boolean => {
  const isReading = method === 'GET' && !CHANGING_READ.test(id);
  const isWriting = newUsers.length > 0;
  const signedIn = [...(isReading || role ? accounts : []), ...newUsers].flatMap(({ kind, user }) =>
    user ? [{ kind: kind.kind, role: user.platformRole }] : [],
  );
  const [kind] = /^(?:customer|employee|administrator)(?=[A-Z])/.exec(id) ?? [];
  if (IMPOSSIBLE.test(id) || (role && !isReading && !isWriting)) return false;
  if (role) return signedIn.some((account) => account.role === role);
  if (kind) return signedIn.some((account) => account.kind === kind);
  return isReading ? scheme === undefined || signedIn.length > 0 : isWriting;
};

/** The last section. */
export const coverageSection = (options: Options): Section => ({
  title: 'Documented operations',
  checks: () => {
    const untried = options.memory.listUntried().filter((operation) => isExpected(operation, options));
    const lines = untried.map(({ method, template }) => `${method} ${template}: a success`);
    return [...lines, 'the other operations that these accounts can call: a success'].map((name, index) => ({
      name,
      run: async ({ check }) => check(index === lines.length, 'no request had one'),
    }));
  },
});
