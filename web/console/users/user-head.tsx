import type { AdminUserDetail } from '@platform/client';
import { CopyButton } from '../../components/copy-button.tsx';
import { Pill, State } from '../../components/state.tsx';
import { Time } from '../../components/time.tsx';
import { toFullName } from '../../words/full-name.ts';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { isDeleted } from '../records/people.ts';
import { USER_HELP } from './user-help-words.ts';
import { USER_LIST } from './user-list-words.ts';
import { USERS } from './user-words.ts';

type UserProps = { user: AdminUserDetail };
type Profile = NonNullable<AdminUserDetail['profile']['customer']>;
/** A field of the contract without a word below does not compile. */
type ProfileFact = Exclude<
  keyof Profile,
  'id' | 'userId' | 'firstName' | 'lastName' | 'createdAt' | 'updatedAt'
>;

const States = ({ user: { isBlocked, isEmailVerified } }: UserProps) => {
  const words = useWords(USERS);
  const { active } = useWords(USER_LIST);
  if (!isBlocked && isEmailVerified) return <State look="ok">{active}</State>;
  return (
    <>
      {isBlocked && <State look="bad">{words.blocked}</State>}
      {!isEmailVerified && <State look="warn">{words.notVerified}</State>}
    </>
  );
};

/** The badges beside the name: the state, then "You" and the roles. */
export const UserBadges = ({ user, isOwn }: UserProps & { isOwn: boolean }) => {
  const words = useWords(USERS);
  const names = useWords(NAMES);
  if (isDeleted(user)) return <State look="off">{words.deleted}</State>;
  return (
    <>
      <States user={user} />
      {(isOwn || user.roles.length > 0) && (
        <span>
          {isOwn && <Pill look="you">{names.you}</Pill>}
          {user.roles.map((role) => (
            <Pill key={role}>{nameOf(names.roles, role)}</Pill>
          ))}
        </span>
      )}
    </>
  );
};

const useProfileFacts = ({ customer, employee }: AdminUserDetail['profile']): [string, string][] => {
  const words = useWords(USERS);
  const labels: Record<ProfileFact, string> = { phone: words.phone };
  return Object.entries(labels).flatMap(([field, label]) => {
    const values = [customer, employee].map((profile) => profile?.[field as ProfileFact] ?? '');
    return [...new Set(values)].filter(Boolean).map((value): [string, string] => [label, value]);
  });
};

/** A profile that differs from the name of the page, such as that of the employee. */
const useOtherNames = ({ profile, name }: AdminUserDetail): [string, string][] => {
  const words = useWords(USERS);
  const names = [
    [words.asCustomer, toFullName(profile.customer)],
    [words.asEmployee, toFullName(profile.employee)],
  ] as const;
  return names.flatMap(([label, own]) => (own !== undefined && own !== name ? [[label, own]] : []));
};

/** The line below the name: address, id and what else is copied or asked first. */
export const UserLine = ({ user }: UserProps) => {
  const words = useWords(USERS);
  const help = useWords(USER_HELP);
  const names = useWords(NAMES);
  const facts = useProfileFacts(user.profile);
  const otherNames = useOtherNames(user);
  return (
    <div className="thing-line">
      {!isDeleted(user) && (
        <span className="thing-main">
          <bdi>{user.email}</bdi> <CopyButton text={user.email} isIcon />
        </span>
      )}
      {facts.map(([label, value]) => (
        <span key={value} title={label}>
          <bdi>{value}</bdi> <CopyButton text={value} isIcon />
        </span>
      ))}
      {otherNames.map(([label, name]) => (
        <span key={label}>
          {label}: <bdi>{name}</bdi>
        </span>
      ))}
      <span>{help.mailsIn(nameOf(names.languages, user.language))}</span>
      <span>
        {words.signedUp} <Time at={user.createdAt} />
      </span>
      <span title={user.id}>
        {help.id} <CopyButton text={user.id} label={words.id} isIcon />
      </span>
    </div>
  );
};
