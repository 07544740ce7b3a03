import type { StateLook } from '../components/state.tsx';

type Looks = Readonly<Record<string, StateLook>>;

const PROJECTS: Looks = {
  DRAFT: 'off',
  MODERATION: 'warn',
  PUBLISHED: 'ok',
  TEAM_SELECTION: 'ok',
  CONTRACTING: 'ok',
  IN_PROGRESS: 'ok',
  ON_REVIEW: 'ok',
  DISPUTED: 'bad',
};

const TEAMS: Looks = { ONBOARDING: 'warn', ACTIVE: 'ok', SUSPENDED: 'bad' };

/** A state that is over, or that this release does not know, is grey. */
export const lookOfProject = (status: string): StateLook => PROJECTS[status] ?? 'off';
export const lookOfTeam = (status: string): StateLook => TEAMS[status] ?? 'off';
