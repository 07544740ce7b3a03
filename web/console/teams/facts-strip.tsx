import type { TeamDetail } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { Strip, type StripFact } from '../../components/strip.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { verificationOf } from '../records/record-queries.ts';
import { type Member, nameOfMember } from './members.ts';
import { TEAMS } from './team-words.ts';

type FactsStripProps = {
  team: TeamDetail;
  members: readonly Member[];
  /** Whether the members are loaded. */
  areKnown: boolean;
};

const useAdministrator = ({ members, areKnown }: Omit<FactsStripProps, 'team'>): StripFact => {
  const words = useWords(TEAMS);
  if (!areKnown) return { label: words.administrator, value: '–', hint: '' };
  const found = members.find(({ member }) => member.role === 'ADMINISTRATOR' && member.status === 'ACTIVE');
  const rights = [
    ...(found?.member.canSign ? [words.canSign] : []),
    ...(found?.member.canSubmit ? [words.canSubmit] : []),
  ];
  return {
    label: words.administrator,
    value: found?.card ? nameOfMember(found.card) : words.nobody,
    hint: rights.join(', '),
  };
};

/** Loads who has verified a team. */
export const useVerifier = ({ id, verifiedAt }: TeamDetail): string | null | undefined => {
  const { data } = useQuery({ ...verificationOf(id), enabled: verifiedAt !== null });
  const [record] = data?.data ?? [];
  return record?.actorName ?? record?.actorEmail;
};

const useVerification = (team: TeamDetail): StripFact => {
  const words = useWords(TEAMS);
  const by = useVerifier(team);
  return {
    label: words.verified,
    value: team.verifiedAt === null ? words.notVerified : <Time at={team.verifiedAt} isFull />,
    hint: team.verifiedAt !== null && by ? words.verifiedBy(by) : '',
  };
};

/** Four facts, before the cards. */
export const FactsStrip = ({ team, members, areKnown }: FactsStripProps) => {
  const words = useWords(TEAMS);
  const active = members.filter(({ member }) => member.status === 'ACTIVE').length;
  const facts: StripFact[] = [
    useAdministrator({ members, areKnown }),
    {
      label: words.members,
      value: formatNumber(members.length),
      hint: words.activeAndInvited(formatNumber(active), formatNumber(members.length - active)),
    },
    { label: words.created, value: <Time at={team.createdAt} isFull />, hint: '' },
    useVerification(team),
  ];
  return <Strip facts={facts} />;
};
