import { configure, waitFor, within } from '@testing-library/react/pure.js';
import { userEvent } from '@testing-library/user-event';

// An error shows what is on the page, and not its elements, which fill a terminal.
configure({
  // Not a limit of the pages: the machine may be busy.
  asyncUtilTimeout: 20_000,
  getElementError: (message) =>
    new Error(`${message?.split('\n')[0]}\nThe page: ${document.body.textContent}`),
});

// Without a pause after each key.
export const user = userEvent.setup({ delay: null });

/** The dialog on top if one is open, else the page: what a person can reach. */
export const onTop = () =>
  within([...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? document.body);

/** Presses the button or link with this name as soon as it is there. */
export const press = async (name: string | RegExp): Promise<void> => {
  const found = await waitFor(() => {
    const control = onTop().queryByRole('button', { name }) ?? onTop().queryByRole('link', { name });
    return control ?? onTop().getByRole('button', { name });
  });
  await user.click(found);
};

export const findField = (label: string | RegExp): Promise<HTMLInputElement> =>
  onTop().findByLabelText(label);

/** Types into fields, in place of what they contain. */
export const fill = async (values: Record<string, string>): Promise<void> => {
  for (const [label, value] of Object.entries(values)) {
    const field = await findField(label);
    await user.clear(field);
    if (value) await user.type(field, value);
  }
};

/** A browser sends `cancel` to the dialog when Escape is pressed; happy-dom does not. */
export const pressEscape = (): void => {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  dialog?.dispatchEvent(new Event('cancel', { cancelable: true }));
};

/** Chooses from a menu. */
export const pressInMenu = async (menu: string, item: string): Promise<void> => {
  await press(menu);
  await user.click(await waitFor(() => onTop().getByRole('menuitem', { name: item })));
};

/** Sets a filter of a list by its value. */
export const chooseFilter = async (value: string): Promise<void> => {
  await press('Filter');
  await user.click(await waitFor(() => onTop().getByRole('menuitemradio', { name: value })));
};
