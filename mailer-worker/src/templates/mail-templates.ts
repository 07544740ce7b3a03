import type { CodeCipher } from '@platform/shared/mail/code-encryption';
import type { Mail, MailOf } from '@platform/shared/mail/mail';
import { type CodeMail, createAccountMails } from './account-mails.ts';
import { createContactMails } from './contact-mails.ts';
import type { RenderedMail } from './layout.ts';

/** A decoy takes the time of a mail but is never sent. */
export type SendableMail = Exclude<Mail, { template: 'decoy' }>;

type Templates = { [Template in SendableMail['template']]: (mail: MailOf<Template>) => RenderedMail };

/** Renders subject, text and HTML. A mail without a template does not compile. */
export const createMailRenderer = ({ decrypt }: CodeCipher, product: string, support?: string) => {
  const accountMails = createAccountMails(product, support);
  const { renderLeadRequest, renderSupportRequest } = createContactMails(product);
  const renderCode = (mail: CodeMail) => accountMails.renderCode(mail, decrypt(mail.sealedCode));
  const templates: Templates = {
    'verification-code': renderCode,
    'reset-password-code': renderCode,
    'email-change-code': renderCode,
    'email-change-taken': accountMails.renderEmailChangeTaken,
    'email-change-requested': accountMails.renderNotice,
    'email-changed': accountMails.renderNotice,
    'password-changed': accountMails.renderNotice,
    'second-factor-changed': accountMails.renderSecondFactorChanged,
    'new-device': accountMails.renderNewDevice,
    'account-deleted': accountMails.renderNotice,
    'guessing-paused': accountMails.renderGuessingPaused,
    'wrong-factors': accountMails.renderNotice,
    'platform-role-removed': accountMails.renderPlatformRoleRemoved,
    'setup-removed': accountMails.renderNotice,
    'lead-request': renderLeadRequest,
    'support-request': renderSupportRequest,
  };
  return (mail: SendableMail): RenderedMail => templates[mail.template](mail as never);
};

export type RenderMail = ReturnType<typeof createMailRenderer>;
