import { notFound, validationFailed } from '@platform/shared/errors/app-error';
import type { PageQuery } from '../lists/lists.ts';
import type { UserReference } from '../lists/user-reference.ts';

export const PROJECT_STATUSES = [
  'DRAFT',
  'MODERATION',
  'PUBLISHED',
  'TEAM_SELECTION',
  'CONTRACTING',
  'IN_PROGRESS',
  'ON_REVIEW',
  'DISPUTED',
  'COMPLETED',
  'CANCELLED',
] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

export const CONTRACTING_STAGES = [
  'NEGOTIATION',
  'DRAFTING',
  'CUSTOMER_SIGNING',
  'EXECUTOR_SIGNING',
  'SIGNED',
] as const;
export type ContractingStage = (typeof CONTRACTING_STAGES)[number];

export const PROJECT_CATEGORIES = [
  'WEB',
  'MOBILE',
  'DESIGN',
  'MARKETING',
  'DATA',
  'DEVOPS',
  'CONSULTING',
  'OTHER',
] as const;
export type ProjectCategory = (typeof PROJECT_CATEGORIES)[number];

export type Project = {
  id: string;
  title: string;
  description: string;
  category: ProjectCategory;
  status: ProjectStatus;
  contractingStage: ContractingStage | null;
  /** The address is null if the owner was deleted. */
  owner: { id: string; email: string | null; firstName: string | null; lastName: string | null };
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
};

/** A project as other services see it, without the person of the owner. */
export type ServiceProject = Omit<Project, 'owner'> & { ownerId: string };

/** A project with the version of its row. */
export type VersionedProject = Project & { version: string };
export type DeletedProject = Pick<Project, 'id' | 'title' | 'owner'> & {
  deletedAt: Date;
  /** Null if it is not known who deleted the project. */
  deletedBy: UserReference | null;
};

export type DeletedProjectQuery = PageQuery & { search?: string | undefined };
export type ProjectQuery = DeletedProjectQuery & {
  status?: ProjectStatus | undefined;
  category?: ProjectCategory | undefined;
};

export type ProjectTexts = Pick<Project, 'title' | 'description' | 'category'>;
export type ProjectState = Pick<Project, 'status' | 'contractingStage'>;

/** An ADMIN changes only texts, and another service changes the state as well. */
export type ProjectChange = Partial<ProjectTexts> & {
  status?: ProjectStatus | undefined;
  contractingStage?: ContractingStage | undefined;
};

type Owned = { ownerId: string };
export type NewProject = ProjectTexts & ProjectState & Owned;

/** A service creates a project in any state; without one, as a draft. */
export type ProjectRequest = ProjectTexts & Pick<ProjectChange, 'status' | 'contractingStage'> & Owned;

/** The old and the new value of each changed text. */
export const diffProject = (stored: ProjectTexts, change: ProjectChange) =>
  Object.fromEntries(
    (['title', 'description', 'category'] as const).flatMap((name) => {
      const [from, to] = [stored[name], change[name]];
      return to === undefined || to === from ? [] : [[name, { from, to }]];
    }),
  );

const stageRejected = (message: string) =>
  validationFailed('The stage and the status do not match', [
    { path: '/body/contractingStage', message, rule: 'contracting-stage' },
  ]);

/**
 * The state after a change: a stage with, and only with, CONTRACTING. While it lasts, the stage is kept
 * unless another one is given.
 * @throws AppError 400
 */
export const toNextState = (
  stored: ProjectState,
  { status, contractingStage }: ProjectChange,
): ProjectState => {
  const next = status ?? stored.status;
  if (next !== 'CONTRACTING') {
    if (contractingStage !== undefined) throw stageRejected('needs the status CONTRACTING');
    return { status: next, contractingStage: null };
  }
  const stage = contractingStage ?? stored.contractingStage;
  if (stage === null) throw stageRejected('is required with the status CONTRACTING');
  return { status: next, contractingStage: stage };
};

/** @throws AppError 400 */
export const toNewProject = ({ status, contractingStage, ...project }: ProjectRequest): NewProject => ({
  ...project,
  ...toNextState({ status: 'DRAFT', contractingStage: null }, { status, contractingStage }),
});

/**
 * A body that no project allows is invalid, whether or not there is a project. Whatever may be changed in any
 * project may be changed in one that is being contracted.
 * @throws AppError 400
 */
export const requirePossible = (change: ProjectChange): void => {
  toNextState({ status: 'CONTRACTING', contractingStage: 'NEGOTIATION' }, change);
};

export const projectNotFound = () => notFound('PROJECT_NOT_FOUND', 'Project not found');
export const ownerNotFound = () => notFound('USER_NOT_FOUND', 'The owner is unknown, deleted or no customer');
