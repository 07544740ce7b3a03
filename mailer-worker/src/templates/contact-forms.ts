import type { SubmittedForm } from '@platform/shared/mail/mail';
import { layOut, type RenderedMail } from './layout.ts';

type Properties = { request: SubmittedForm };

const LABELS: Record<string, string> = {
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  company: 'Company',
  subject: 'Subject',
  message: 'Message',
};

/** Every submitted field, in the text only: what a stranger wrote has no place in a header. */
const toParagraphs = (request: SubmittedForm): string[] =>
  Object.entries(LABELS).flatMap(([field, label]) => {
    const value = request[field];
    return value ? [`${label}: ${value}`] : [];
  });

export const leadRequest = ({ request }: Properties): RenderedMail =>
  layOut({
    subject: 'New request for a project',
    paragraphs: ['Somebody left a request on the landing page.', ...toParagraphs(request)],
  });

export const supportRequest = ({ request }: Properties): RenderedMail =>
  layOut({
    subject: 'New support request',
    paragraphs: ['Somebody asks for support.', ...toParagraphs(request)],
  });
