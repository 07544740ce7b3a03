import type { RoleNotices } from './account-texts.ts';

const contactAdministrator = (product: string) =>
  `If you did not expect this, contact an administrator of ${product}.`;

/** The notices about platform roles, to those who get them and to those who give them. */
export const ROLE_NOTICES: RoleNotices = {
  'invitation-accepted': {
    subject: 'Your invitation was accepted',
    notice: (time, product, detail) => `${detail} accepted your invitation to ${product} on ${time}.`,
    advice: () =>
      'If you did not expect this, remove the role of this user in the back office, and tell the other administrators.',
  },
  'administrator-registered': {
    subject: 'An account was created for you',
    notice: (time, product, role) =>
      `An account with your email address and the role ${role} was created at ${product} on ${time}.`,
    advice: contactAdministrator,
  },
  'platform-role-given': {
    subject: 'You gave somebody a role',
    notice: (time, product, detail) =>
      `On ${time}, a role at ${product} was given with your account. ${detail}.`,
    advice: () =>
      'If that was not you, change your password, remove the role of this user in the back office, and tell the other administrators.',
  },
  'platform-role-assigned': {
    subject: 'You have a new role',
    notice: (time, product, role) =>
      `You were given the role ${role} at ${product} on ${time}. All devices were signed out. Sign in again to use the role.`,
    advice: contactAdministrator,
  },
  'platform-role-removed': {
    subject: 'Your role was removed',
    notice: (time, product, role) =>
      `Your role ${role} at ${product} was removed on ${time}. All devices were signed out.`,
    advice: contactAdministrator,
  },
};
