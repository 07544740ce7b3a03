import { notFound } from '@platform/shared/errors/app-error';
import type { UserReference } from '../lists/user-reference.ts';

export type ProjectStatus =
  | 'DRAFT'
  | 'MODERATION'
  | 'PUBLISHED'
  | 'TEAM_SELECTION'
  | 'CONTRACTING'
  | 'IN_PROGRESS'
  | 'ON_REVIEW'
  | 'DISPUTED'
  | 'COMPLETED'
  | 'CANCELLED';

type ContractingStage = 'NEGOTIATION' | 'DRAFTING' | 'CUSTOMER_SIGNING' | 'EXECUTOR_SIGNING' | 'SIGNED';

type ProjectCategory = 'WEB' | 'MOBILE' | 'DESIGN' | 'MARKETING' | 'DATA' | 'DEVOPS' | 'CONSULTING' | 'OTHER';

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

export type DeletedProject = Pick<Project, 'id' | 'title' | 'owner'> & {
  deletedAt: Date;
  /** Null if it is not known who deleted the project. */
  deletedBy: UserReference | null;
};

/** The fields that an administrator may change. The status is not one of them. */
export type ProjectChange = { title?: string; description?: string; category?: ProjectCategory };

/** The old and the new value of each changed field. */
export const diffProject = (stored: Required<ProjectChange>, change: ProjectChange) =>
  Object.fromEntries(
    (['title', 'description', 'category'] as const).flatMap((name) => {
      const [from, to] = [stored[name], change[name]];
      return to === undefined || to === from ? [] : [[name, { from, to }]];
    }),
  );

export const projectNotFound = () => notFound('PROJECT_NOT_FOUND', 'Project not found');
