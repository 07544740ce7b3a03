import {
  type ButtonHTMLAttributes,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';

type Placement = { top?: number; bottom?: number; left?: number; right?: number };

/** The greatest width of a menu or panel, in pixels. */
const WIDEST = 360;

/**
 * Places a menu below the button if there is room, else above it; aligned with its start if there is room, else with
 * its end.
 */
const placeAt = (button: Element): Placement => {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  // Unlike those of the window, these do not include the scroll bar.
  const { clientWidth, clientHeight } = document.documentElement;
  return {
    ...(bottom < clientHeight / 2 ? { top: bottom + 4 } : { bottom: clientHeight - top + 4 }),
    ...(left + WIDEST < clientWidth ? { left } : { right: clientWidth - right }),
  };
};

/** A button that opens a menu or panel below it, and how the menu or panel closes. */
export const useOpener = (popup: 'menu' | 'dialog') => {
  const [opened, setOpened] = useState<{ by: HTMLElement; placement: Placement }>();
  return {
    placement: opened?.placement,
    /** The focus goes to the button at once: a dialog that a click has opened returns it to where it is now. */
    close: () => {
      opened?.by.focus();
      setOpened(undefined);
    },
    closeOnBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      // A click on the button closes it itself.
      if (!currentTarget.contains(relatedTarget) && relatedTarget !== opened?.by) setOpened(undefined);
    },
    button: {
      type: 'button',
      'aria-haspopup': popup,
      'aria-expanded': opened !== undefined,
      // Safari does not focus a button that is clicked: the panel would close, and its click would open it again.
      onMouseDown: (event: MouseEvent) => opened && event.preventDefault(),
      onClick: ({ currentTarget }: MouseEvent<HTMLButtonElement>) =>
        setOpened(opened ? undefined : { by: currentTarget, placement: placeAt(currentTarget) }),
    } as const,
  };
};

const listItems = (menu: Element | null): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
];

const moveFocus = (menu: Element | null, find: (index: number, count: number) => number): void => {
  const items = listItems(menu);
  const index = items.indexOf(document.activeElement as HTMLElement);
  items.at(find(index, items.length) % items.length)?.focus();
};

const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index, count) => index - 1 + count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

type MenuProps = {
  className?: string;
  /** The content of the button. */
  button: ReactNode;
  /** `MenuItem`s, and lines between them. */
  children: ReactNode;
};

/** A button that opens a list of actions. A click elsewhere, Escape and choosing close it. */
export const Menu = ({ className = 'button', button, children }: MenuProps) => {
  const { placement, close, closeOnBlur, button: opener } = useOpener('menu');
  const menu = useRef<HTMLDivElement>(null);
  const isOpen = placement !== undefined;
  useEffect(() => {
    if (isOpen) listItems(menu.current)[0]?.focus();
  }, [isOpen]);
  const press = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const step = STEPS[event.key];
    if (step) moveFocus(menu.current, step);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    // A list below must not move, and a dialog around it must stay.
    event.stopPropagation();
  };
  return (
    <>
      <button {...opener} className={className} onKeyDown={press}>
        {button}
      </button>
      {isOpen && (
        <div
          ref={menu}
          role="menu"
          className="menu"
          style={placement}
          onKeyDown={press}
          onClick={close}
          onBlur={closeOnBlur}
        >
          {children}
        </div>
      )}
    </>
  );
};

type MenuItemProps = Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'role' | 'lang' | 'aria-checked'> & {
  icon?: ReactNode;
  /** An element at the right: a value or a key. */
  end?: ReactNode;
  isDanger?: boolean;
  onClick: () => void;
  children: ReactNode;
};

export const MenuItem = ({ icon, end, isDanger = false, children, ...attributes }: MenuItemProps) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    className={isDanger ? 'menu-item menu-item-danger' : 'menu-item'}
    {...attributes}
  >
    {icon}
    {children}
    {end && <span className="menu-end">{end}</span>}
  </button>
);

type MenuChoiceProps = Pick<MenuItemProps, 'icon' | 'lang' | 'onClick' | 'children'> & { isChecked: boolean };

/** An item of a group of which one is chosen. */
export const MenuChoice = ({ isChecked, ...item }: MenuChoiceProps) => (
  <MenuItem {...item} role="menuitemradio" aria-checked={isChecked} end={isChecked && '✓'} />
);

/** The heading of a group of items. */
export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <div className="menu-label">{children}</div>
);

export const MenuLine = () => <hr className="menu-line" />;
