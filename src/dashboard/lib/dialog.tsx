import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';

/** A native modal dialog, which keeps the focus inside, begins at its first field and closes with Esc. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    dialog.querySelector<HTMLElement>('.db :is(input, select, textarea)')?.focus();
    return () => dialog.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it by keyboard
    <dialog
      ref={element}
      onClose={() => element.current && close()}
      onClick={(e) => e.target === element.current && close()}
      aria-label={title}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="btn sm icon ghost" aria-label="Close" title="Close" onClick={close}>
          <Icon name="close" size={16} />
        </button>
      </header>
      <div class="db">{children}</div>
    </dialog>
  );
}

export interface MenuItem {
  icon?: Parameters<typeof Icon>[0]['name'];
  label: string;
  /** The act has no undo. */
  isDangerous?: boolean;
  run: () => void;
}

/** A menu that opens below its trigger. Esc, a click elsewhere or a choice closes it. */
export function Menu(p: { at: DOMRect; side?: 'left' | 'right'; items: MenuItem[]; note?: string; close: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  const close = useRef(p.close);
  close.current = p.close;
  // Runs immediately and only once, because a redraw around it must not move the focus back to the first item.
  useLayoutEffect(() => {
    const menu = element.current!;
    if (menu.getBoundingClientRect().bottom > innerHeight)
      menu.style.top = `${Math.max(8, p.at.top - menu.offsetHeight - 4)}px`;
    const before = document.activeElement;
    const buttons = (): HTMLElement[] => [...element.current!.querySelectorAll('button')];
    buttons()[0]?.focus();
    const away = (e: PointerEvent): void => {
      if (!element.current?.contains(e.target as Node)) close.current();
    };
    const key = (e: KeyboardEvent): void => {
      const at = buttons().indexOf(document.activeElement as HTMLElement);
      const by = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
      if (e.key === 'Escape' || e.key === 'Tab') close.current();
      else if (by !== 0)
        buttons()
          .at((at + by) % buttons().length)
          ?.focus();
      else return;
      e.preventDefault();
      e.stopPropagation();
    };
    document.addEventListener('pointerdown', away);
    document.addEventListener('keydown', key, true);
    return () => {
      document.removeEventListener('pointerdown', away);
      document.removeEventListener('keydown', key, true);
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const place = p.side === 'right' ? { right: `${innerWidth - p.at.right}px` } : { left: `${p.at.left}px` };
  return (
    <div class="menu" role="menu" ref={element} style={{ ...place, top: `${p.at.bottom + 4}px` }}>
      {p.items.map(({ icon, label, isDangerous, run }) => (
        <button
          type="button"
          role="menuitem"
          key={label}
          class={isDangerous ? 'danger' : undefined}
          onClick={() => {
            p.close();
            run();
          }}
        >
          {icon && <Icon name={icon} size={16} />}
          {label}
        </button>
      ))}
      {p.note && <small>{p.note}</small>}
    </div>
  );
}
