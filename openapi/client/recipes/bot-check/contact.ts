import { createPlatformClient } from '@platform/client';
import { createMessages } from '@platform/client/messages';
import { GERMAN } from '@platform/client/messages/de';
import { ENGLISH } from '@platform/client/messages/en';

// Where the platform keeps bots out, the client solves the challenge in a worker and repeats the call. The
// form needs no code for it; it only has to stay usable for a second longer.
const platform = createPlatformClient({ gatewayUrl: import.meta.env['VITE_GATEWAY_URL'], kind: 'customer' });
const { messageOf, fieldErrors } = createMessages(platform, { en: ENGLISH, de: GERMAN });

const find = <Type extends HTMLElement>(selector: string): Type => {
  const element = document.querySelector<Type>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
};
const [form, button, message] = [
  find<HTMLFormElement>('form'),
  find<HTMLButtonElement>('button'),
  find('[role=status]'),
];

const send = async (): Promise<string> => {
  const data = new FormData(form);
  const read = (name: string): string => String(data.get(name)).trim();
  await platform.POST('/contact/support', {
    body: { email: read('email'), subject: read('subject'), message: read('message') },
  });
  form.reset();
  return 'Thank you. We have received your message.';
};

const describe = (error: unknown): string => Object.values(fieldErrors(error)).join(' ') || messageOf(error);

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  message.textContent = 'Sending…';
  message.textContent = await send().catch(describe);
  button.disabled = false;
});
