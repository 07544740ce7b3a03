import { createPlatformClient } from '@platform/client';
import { createMessages } from '@platform/client/messages';
import { ENGLISH } from '@platform/client/messages/en';

export const platform = createPlatformClient({
  gatewayUrl: import.meta.env['VITE_GATEWAY_URL'],
  kind: 'customer',
});

const { messageOf } = createMessages(platform, { en: ENGLISH });

/** This page. In production OIDC_REDIRECT_URIS must name it, and so must the client at the provider. */
export const redirectUri = window.location.origin + window.location.pathname;

export const find = <Type extends HTMLElement = HTMLElement>(selector: string): Type => {
  const element = document.querySelector<Type>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
};

type Action = () => Promise<string | undefined>;

/** Shows the result, if there is one. Buttons are disabled meanwhile: each callback URL can be completed once. */
export const run = async (action: Action): Promise<void> => {
  const setDisabled = (isDisabled: boolean) => {
    for (const button of document.querySelectorAll('button')) button.disabled = isDisabled;
  };
  setDisabled(true);
  const text = await action().catch((error: unknown) => messageOf(error));
  if (text !== undefined) find('[role=status]').textContent = text;
  setDisabled(false);
};

export const onSubmit = (form: HTMLFormElement, action: (fields: FormData) => ReturnType<Action>): void =>
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(() => action(new FormData(form)));
  });

export const createButton = (text: string, action: Action): HTMLButtonElement => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', () => void run(action));
  return button;
};
