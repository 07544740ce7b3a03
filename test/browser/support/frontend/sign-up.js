// A sign-up form without texts for errors: each comes from the code, or from the rule and its parameters.
import { createPlatformClient, isPlatformError } from '@platform/client';
import { fieldMessageOf, messageOf } from '@platform/client/messages';

const gatewayUrl = document.querySelector('meta[name=gateway]').content;
const client = createPlatformClient({ gatewayUrl, kind: 'customer' });
const form = document.querySelector('form');
const status = document.querySelector('[role=status]');

/** Shows the first error of each field beside it. */
const showErrors = (details) => {
  for (const input of form.querySelectorAll('input')) {
    // The path of an element, such as /body/email/0, belongs to the field too.
    const detail = details.find(({ path }) => path.split('/')[2] === input.name);
    input.setAttribute('aria-invalid', String(detail !== undefined));
    document.getElementById(`${input.name}-error`).textContent = detail ? fieldMessageOf(detail, 'de') : '';
  }
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  status.textContent = '';
  // An empty field counts as missing.
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
  try {
    const { user } = await client.signUp(fields);
    showErrors([]);
    status.textContent = user.email;
  } catch (error) {
    showErrors(isPlatformError(error) ? error.details : []);
    status.textContent = messageOf(error, 'de');
  }
});
