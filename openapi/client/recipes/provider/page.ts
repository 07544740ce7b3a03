import { createPlatformClient } from '@platform/client';
import { createMessages } from '@platform/client/messages';
import { ENGLISH } from '@platform/client/messages/en';

export const platform = createPlatformClient({
  gatewayUrl: import.meta.env['VITE_GATEWAY_URL'],
  kind: 'customer',
});

const { messageOf } = createMessages(platform, { en: ENGLISH });

/** The address of this page. OIDC_REDIRECT_URIS and the client at the provider must contain it. */
export const redirectUri = window.location.origin + window.location.pathname;

export const find = <Type extends HTMLElement = HTMLElement>(selector: string): Type => {
  const element = document.querySelector<Type>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
};

type Action = () => Promise<string | undefined>;

/**
 * Shows the result, if there is one. Buttons are disabled meanwhile, because each callback URL can be
 * completed once.
 */
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
