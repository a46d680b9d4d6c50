import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Panel } from './panel.ts';

export const PanelContext = createContext<Panel | undefined>(undefined);

/** The panel a component is in. */
export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === undefined) throw new Error('A component of the chat panel is outside of it');
  return panel;
}

/** The language of the workbench, as the host's page says it. */
export const language = (): string => document.documentElement.lang || 'en';
