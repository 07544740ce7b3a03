import type { Language } from '@platform/shared/http/language';

type InvitationTexts = {
  subject: (product: string) => string;
  headline: (product: string) => string;
  /** The label of the button. */
  accept: string;
  /** Contains the code. It is the first line of the text, and the preview in the mail program's list. */
  summary: (code: string, product: string) => string;
  /** @param inviter an email address; null if unknown */
  notice: (product: string, role: string, inviter: string | null) => string;
  /** Says how to use the code; `isLinked` if the mail has a link that contains it. */
  instruction: (product: string, isLinked: boolean) => string;
  validity: (address: string, until: string) => string;
  advice: string;
  /** Why the recipient gets the mail. */
  reason: (address: string, inviter: string | null, product: string) => string;
};

/** A language without texts does not compile. */
export const INVITATION_TEXTS: Readonly<Record<Language, InvitationTexts>> = {
  en: {
    subject: (product) => `You are invited to ${product}`,
    headline: (product) => `Join ${product}`,
    accept: 'Accept the invitation',
    summary: (code, product) => `${code} is your invitation code for ${product}.`,
    notice: (product, role, inviter) =>
      `${inviter ?? 'An administrator'} invites you to work in the back office of ${product} as ${role}.`,
    instruction: (product, isLinked) =>
      isLinked
        ? 'Accept it with the button and choose a password, or enter this code on the page for invitations:'
        : `To accept, enter this code in the back office of ${product}, and choose a password.`,
    validity: (address, until) => `The invitation is for ${address} only. It works once, until ${until}.`,
    advice:
      'If you do not expect it, you can ignore this email. Don’t forward it: whoever has the link or the code can accept the invitation.',
    reason: (address, inviter, product) =>
      `Sent to ${address} because ${inviter ?? 'an administrator'} entered this address at ${product}.`,
  },
  de: {
    subject: (product) => `Sie sind zu ${product} eingeladen`,
    headline: (product) => `Einladung zu ${product}`,
    accept: 'Einladung annehmen',
    summary: (code, product) => `${code} ist Ihr Einladungscode für ${product}.`,
    notice: (product, role, inviter) =>
      inviter === null
        ? `Sie wurden eingeladen, in der Verwaltung von ${product} als ${role} mitzuarbeiten.`
        : `${inviter} lädt Sie ein, in der Verwaltung von ${product} als ${role} mitzuarbeiten.`,
    instruction: (product, isLinked) =>
      isLinked
        ? 'Nehmen Sie sie mit der Schaltfläche an und legen Sie ein Passwort fest, oder geben Sie diesen Code auf der Seite für Einladungen ein:'
        : `Um die Einladung anzunehmen, geben Sie diesen Code in der Verwaltung von ${product} ein und legen Sie ein Passwort fest.`,
    validity: (address, until) => `Die Einladung gilt nur für ${address}, einmal und bis zum ${until}.`,
    advice:
      'Falls Sie keine Einladung erwarten, können Sie diese E-Mail ignorieren. Leiten Sie sie nicht weiter: Mit dem Link oder dem Code kann jeder die Einladung annehmen.',
    reason: (address, inviter, product) =>
      `Gesendet an ${address}, weil ${inviter ?? 'die Administration'} diese Adresse bei ${product} eingegeben hat.`,
  },
};
