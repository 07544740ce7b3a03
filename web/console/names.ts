import type { AdminUser, Project, Team } from '@platform/client';
import { defineWords } from '../words/define-words.ts';

type Names = Readonly<Record<string, string>>;

/** All values of an enumeration of the API, so that a filter can offer them. */
type NameOfEach<Value extends string> = Readonly<Record<Value, string>>;

/** The API's enumerations in words. Missing ones are shown as the API writes them. */
export const NAMES = defineWords({
  en: {
    deletedUser: 'A deleted user',
    roles: {
      CUSTOMER: 'Customer',
      EMPLOYEE: 'Employee',
      ADMIN: 'Admin',
      OPERATOR: 'Operator',
      ARBITER: 'Arbiter',
    } satisfies NameOfEach<AdminUser['roles'][number]>,
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
    secrets: {
      password: 'Password',
      'second-factor': 'Second step',
      'email-code': 'Codes from mails',
    } as Names,
  },
  de: {
    deletedUser: 'Eine gelöschte Person',
    roles: {
      CUSTOMER: 'Kunde',
      EMPLOYEE: 'Mitarbeiter',
      ADMIN: 'Admin',
      OPERATOR: 'Operator',
      ARBITER: 'Schlichter',
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
    secrets: {
      password: 'Passwort',
      'second-factor': 'Zweiter Schritt',
      'email-code': 'Codes aus E-Mails',
    },
  },
});

/** Finds the word for a value, or shows the value itself. */
export const nameOf = (names: Names, name: string): string => names[name] ?? name;
