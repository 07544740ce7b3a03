import type { Language } from '@platform/shared/http/language';

type InvitationTexts = {
  subject: (product: string) => string;
  /** Contains the code. It is the first line of the text, and the preview in the mail program's list. */
  summary: (code: string, product: string) => string;
  notice: (product: string, role: string) => string;
  /** Says how to use the code; `isLinked` if the mail has a link that contains it. */
  instruction: (product: string, isLinked: boolean) => string;
  validity: (until: string) => string;
  /** Advice for a recipient who does not know why. */
  advice: string;
};

/** A language without texts does not compile. */
export const INVITATION_TEXTS: Readonly<Record<Language, InvitationTexts>> = {
  en: {
    subject: (product) => `You are invited to ${product}`,
    summary: (code, product) => `${code} is your invitation code for ${product}.`,
    notice: (product, role) =>
      `An administrator invites you to work in the back office of ${product} as ${role}.`,
    instruction: (product, isLinked) =>
      isLinked
        ? 'Follow this link and choose a password, or enter the code on the page for invitations:'
        : `To accept, enter this code in the back office of ${product}, and choose a password.`,
    validity: (until) => `The invitation is valid for seven days, until ${until}, and can be used once.`,
    advice:
      'If you do not expect it, you can ignore this e-mail. Do not forward it: whoever has the code can accept the invitation.',
  },
  de: {
    subject: (product) => `Sie sind zu ${product} eingeladen`,
    summary: (code, product) => `${code} ist Ihr Einladungscode für ${product}.`,
    notice: (product, role) =>
      `Sie wurden eingeladen, in der Verwaltung von ${product} als ${role} mitzuarbeiten.`,
    instruction: (product, isLinked) =>
      isLinked
        ? 'Öffnen Sie diesen Link und legen Sie ein Passwort fest, oder geben Sie den Code auf der Seite für Einladungen ein:'
        : `Um die Einladung anzunehmen, geben Sie diesen Code in der Verwaltung von ${product} ein und legen Sie ein Passwort fest.`,
    validity: (until) =>
      `Die Einladung ist sieben Tage gültig, bis zum ${until}, und lässt sich einmal verwenden.`,
    advice:
      'Falls Sie keine Einladung erwarten, können Sie diese E-Mail ignorieren. Leiten Sie sie nicht weiter: Mit dem Code kann jeder die Einladung annehmen.',
  },
};
