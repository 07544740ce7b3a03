import type { AdminUserDetail } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { Strip, type StripFact } from '../../components/strip.tsx';
import { Time } from '../../components/time.tsx';
import { formatList, formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { useNameOfProvider } from '../provider-names.ts';
import { hasFactors, hasFewCodes } from '../records/user.ts';
import { USER_HELP } from './user-help-words.ts';
import { userSessions } from './user-queries.ts';
import { USERS } from './user-words.ts';

type UserProps = { user: AdminUserDetail };

const useMethodsFact = (user: AdminUserDetail): StripFact => {
  const words = useWords(USERS);
  const { recoveryCodesLeft, isRequired, totp } = user.secondFactors;
  const nameOfProvider = useNameOfProvider(user.identities.length > 0);
  const ways = [
    ...(user.hasPassword ? [words.password] : []),
    ...(totp ? [words.app] : []),
    ...(user.passkeys.length > 0 ? [words.passkey] : []),
    ...new Set(user.identities.map(({ provider }) => nameOfProvider(provider))),
  ];
  const hasStep = hasFactors(user) && isRequired;
  return {
    label: words.methods,
    value: ways.length > 0 ? formatList(ways) : words.noPassword,
    hint: hasStep ? words.codesLeft(formatNumber(recoveryCodesLeft), recoveryCodesLeft) : words.noSecondStep,
    isWarning: hasStep && hasFewCodes(user),
  };
};

const useDevicesFact = (user: AdminUserDetail): StripFact => {
  const words = useWords(USERS);
  const help = useWords(USER_HELP);
  const { data } = useQuery(userSessions(user.id));
  const count = data?.data.length;
  return {
    label: words.devices,
    value: count === undefined ? '–' : formatNumber(count),
    hint: user.isBlocked && count !== undefined && count > 0 && help.noneWorks,
  };
};

const useProjectsFact = ({ projects }: AdminUserDetail): StripFact => {
  const words = useWords(USERS);
  const help = useWords(USER_HELP);
  const active = projects.filter(({ status }) => status === 'IN_PROGRESS').length;
  return {
    label: words.projects,
    value: formatNumber(projects.length),
    hint: active > 0 && help.inProgress(formatNumber(active)),
  };
};

/** The most important facts about a person. */
export const UserStrip = ({ user }: UserProps) => {
  const words = useWords(USERS);
  const facts = [useMethodsFact(user), useDevicesFact(user), useProjectsFact(user)];
  return (
    <Strip facts={[{ label: words.lastSignIn, value: <Time at={user.lastSignInAt} isFull /> }, ...facts]} />
  );
};
