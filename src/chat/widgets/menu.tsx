import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './button.tsx';
import { placePopover } from './popover.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: string;
  /** Secondary text. */
  readonly detail?: string;
  /** The selected item of several. */
  readonly checked?: boolean;
  /** Starts a group with this name; an empty name is only a separator. */
  readonly group?: string;
  readonly onPick: () => void;
}

interface MenuProps {
  /** Accessible name and tooltip of the button. */
  readonly label: string;
  readonly class?: string;
  readonly items: () => readonly MenuItem[];
  /** Tab index of the button. */
  readonly tabIndex?: number;
  /** Content of the button. */
  readonly children: ComponentChildren;
}

/** A button with a menu: a click, Enter or an arrow key opens it, arrow keys move in it, Escape closes it. */
export function Menu({ label, class: className = '', items, tabIndex, children }: MenuProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open || list.current === null || button.current === null) return;
    list.current.showPopover();
    placePopover(list.current, button.current.getBoundingClientRect());
    (list.current.querySelector<HTMLElement>('[aria-checked=true]') ?? list.current.querySelector<HTMLElement>('button'))?.focus();
    const onMove = (event: Event): void => {
      if (event.target !== list.current) setOpen(false);
    };
    document.addEventListener('scroll', onMove, true);
    window.addEventListener('resize', onMove);
    return () => {
      document.removeEventListener('scroll', onMove, true);
      window.removeEventListener('resize', onMove);
    };
  }, [open]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && buttons.length > 0) {
      event.preventDefault();
      const at = buttons.indexOf(document.activeElement as HTMLElement);
      buttons[(at + step + buttons.length) % buttons.length]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault();
      setOpen(false);
      button.current?.focus();
    }
  };
  const pick = (item: MenuItem): void => {
    setOpen(false);
    button.current?.focus();
    item.onPick();
  };
  return (
    <>
      <button
        type="button"
        class={`menu-button ${className}`}
        ref={button}
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        tabIndex={tabIndex}
        onClick={() => setOpen(!open)}
        onKeyDown={event => {
          if (event.key === 'ArrowDown' && !open) {
            event.preventDefault();
            setOpen(true);
          }
        }}
      >
        {children}
      </button>
      {open && (
        <div
          class="menu"
          ref={list}
          popover="auto"
          role="menu"
          aria-label={label}
          onKeyDown={onKeyDown}
          onToggle={event => {
            if (event.newState === 'closed') setOpen(false);
          }}
        >
          {items().map((item, index) => (
            <>
              {item.group !== undefined && (index > 0 || item.group !== '') && (
                <div key={`group ${index}`} class="menu-group" role="presentation">
                  {item.group}
                </div>
              )}
              <button
                key={index}
                type="button"
                class="menu-item"
                tabIndex={-1}
                role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
                aria-checked={item.checked}
                onClick={() => pick(item)}
              >
                <Icon name={item.checked === true ? 'check' : (item.icon ?? 'blank')} />
                <span class="menu-label one-line">{item.label}</span>
                {item.detail !== undefined && <span class="menu-detail">{item.detail}</span>}
              </button>
            </>
          ))}
        </div>
      )}
    </>
  );
}
