import type { AdminUser, Project, Team } from '@platform/client';
import { defineWords } from '../words/define-words.ts';

type Names = Readonly<Record<string, string>>;

/** All values of an enumeration of the API, so that a filter can offer them. */
type NameOfEach<Value extends string> = Readonly<Record<Value, string>>;

/** The API's enumerations in words. Missing ones are shown as the API writes them. */
export const NAMES = defineWords({
  en: {
    deletedUser: 'A deleted user',
    byDeletedUser: 'a deleted user',
    you: 'You',
    roles: {
      CUSTOMER: 'Customer',
      EMPLOYEE: 'Employee',
      ADMIN: 'Admin',
      OPERATOR: 'Operator',
      ARBITER: 'Arbiter',
    } satisfies NameOfEach<AdminUser['roles'][number]>,
    platformRoles: {
      OPERATOR: 'Operator: only their own workspace',
      ARBITER: 'Arbiter: only their own workspace',
      ADMIN: 'Admin: everything in this console',
    },
    projectStatus: {
      DRAFT: 'Draft',
      MODERATION: 'Moderation',
      PUBLISHED: 'Published',
      TEAM_SELECTION: 'Team selection',
      CONTRACTING: 'Contracting',
      IN_PROGRESS: 'In progress',
      ON_REVIEW: 'On review',
      DISPUTED: 'Disputed',
      COMPLETED: 'Completed',
      CANCELLED: 'Cancelled',
    } satisfies NameOfEach<Project['status']>,
    contractingStage: {
      NEGOTIATION: 'Negotiation',
      DRAFTING: 'Drafting',
      CUSTOMER_SIGNING: 'Customer signs',
      EXECUTOR_SIGNING: 'Team signs',
      SIGNED: 'Signed',
    } as Names,
    category: {
      WEB: 'Web',
      MOBILE: 'Mobile',
      DESIGN: 'Design',
      MARKETING: 'Marketing',
      DATA: 'Data',
      DEVOPS: 'DevOps',
      CONSULTING: 'Consulting',
      OTHER: 'Other',
    } satisfies NameOfEach<Project['category']>,
    teamStatus: {
      ONBOARDING: 'Onboarding',
      ACTIVE: 'Active',
      SUSPENDED: 'Suspended',
      ARCHIVED: 'Archived',
    } satisfies NameOfEach<Team['status']>,
    memberRole: { ADMINISTRATOR: 'Administrator', MEMBER: 'Member' } as Names,
    memberStatus: { INVITED: 'Invited', ACTIVE: 'Active', REMOVED: 'Removed' } as Names,
    languages: { en: 'English', de: 'German' } as Names,
  },
  de: {
    deletedUser: 'Eine gelöschte Person',
    byDeletedUser: 'einer gelöschten Person',
    you: 'Sie',
    roles: {
      CUSTOMER: 'Kunde',
      EMPLOYEE: 'Mitarbeiter',
      ADMIN: 'Admin',
      OPERATOR: 'Operator',
      ARBITER: 'Schlichter',
    },
    platformRoles: {
      OPERATOR: 'Operator: nur der eigene Arbeitsbereich',
      ARBITER: 'Schlichter: nur der eigene Arbeitsbereich',
      ADMIN: 'Admin: alles in dieser Konsole',
    },
    projectStatus: {
      DRAFT: 'Entwurf',
      MODERATION: 'In Prüfung',
      PUBLISHED: 'Veröffentlicht',
      TEAM_SELECTION: 'Teamauswahl',
      CONTRACTING: 'Vertrag',
      IN_PROGRESS: 'In Arbeit',
      ON_REVIEW: 'In Abnahme',
      DISPUTED: 'Im Streit',
      COMPLETED: 'Abgeschlossen',
      CANCELLED: 'Abgebrochen',
    },
    contractingStage: {
      NEGOTIATION: 'Verhandlung',
      DRAFTING: 'Vertragsentwurf',
      CUSTOMER_SIGNING: 'Kunde unterschreibt',
      EXECUTOR_SIGNING: 'Team unterschreibt',
      SIGNED: 'Unterschrieben',
    },
    category: {
      WEB: 'Web',
      MOBILE: 'Mobil',
      DESIGN: 'Design',
      MARKETING: 'Marketing',
      DATA: 'Daten',
      DEVOPS: 'DevOps',
      CONSULTING: 'Beratung',
      OTHER: 'Sonstiges',
    },
    teamStatus: {
      ONBOARDING: 'Zur Freigabe',
      ACTIVE: 'Aktiv',
      SUSPENDED: 'Ausgesetzt',
      ARCHIVED: 'Archiviert',
    },
    memberRole: { ADMINISTRATOR: 'Leitung', MEMBER: 'Mitglied' },
    memberStatus: { INVITED: 'Eingeladen', ACTIVE: 'Aktiv', REMOVED: 'Entfernt' },
    languages: { en: 'Englisch', de: 'Deutsch' },
  },
});

/** Finds the word for a value, or shows the value itself. */
export const nameOf = (names: Names, name: string): string => names[name] ?? name;
