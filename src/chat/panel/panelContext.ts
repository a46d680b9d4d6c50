import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Panel } from './panel.ts';

export const PanelContext = createContext<Panel | undefined>(undefined);

/** The panel of the current component. */
export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === undefined) throw new Error('A component of the chat panel is outside of it');
  return panel;
}

/** The display language of VS Code, from the `lang` attribute of the page. */
export const language = (): string => document.documentElement.lang || 'en';
