// A sign-up form without texts for errors: each comes from the code, or from the rule and its parameters.
import { createPlatformClient } from '@platform/client';
import { createMessages } from '@platform/client/messages';
import { GERMAN } from '@platform/client/messages/de';
import { ENGLISH } from '@platform/client/messages/en';

const gatewayUrl = document.querySelector('meta[name=gateway]').content;
const client = createPlatformClient({ gatewayUrl, kind: 'customer', language: 'de-DE' });
const { messageOf, fieldErrors } = createMessages(client, { en: ENGLISH, de: GERMAN });
const form = document.querySelector('form');
const status = document.querySelector('[role=status]');

const showErrors = (errors) => {
  for (const input of form.querySelectorAll('input')) {
    const text = errors[input.name] ?? '';
    input.setAttribute('aria-invalid', String(text !== ''));
    document.getElementById(`${input.name}-error`).textContent = text;
  }
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  status.textContent = '';
  // An empty field counts as missing.
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
  try {
    const { user } = await client.signUp(fields);
    showErrors({});
    status.textContent = user.email;
  } catch (error) {
    showErrors(fieldErrors(error));
    status.textContent = messageOf(error);
  }
});
