import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { LoadedFile, Requests } from '../host/messages.ts';
import type { Panel } from './panel.ts';

/** Requests about a piece of content, wherever it is shown. */
type ContentRequest = 'openLink' | 'openPart' | 'savePart' | 'copyWhole';

/** The page around components that show an agent's content; the chat panel is one, and has more. */
export interface ContentHost {
  copy(text: string): Promise<boolean>;
  /** False where that failed, which is then shown. */
  ask<Name extends ContentRequest>(name: Name, params: Requests[Name]['params']): Promise<boolean>;
  /** Absent on a page that never loads anything from the network. */
  loadPart?(seq: number, part: number): Promise<LoadedFile | undefined>;
  /** True for what the person sent. */
  isMine(seq: number): boolean;
  /** See `Panel.secretsOf`; asked of what the person sent. */
  secretsOf(seq: number): Promise<readonly string[] | undefined>;
}

export const ContentContext = createContext<ContentHost | undefined>(undefined);

/** The part of an entry that is shown without a head, which could open it. */
export const PlaceContext = createContext<Requests['openPart']['params'] | undefined>(undefined);

/** The page of the current component, for what agents sent. */
export function useContentHost(): ContentHost {
  const host = useContext(ContentContext);
  if (host === undefined) throw new Error('A component that shows content is on no page');
  return host;
}

export const PanelContext = createContext<Panel | undefined>(undefined);

/** The panel of the current component. */
export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === undefined) throw new Error('A component of the chat panel is outside of it');
  return panel;
}

/** The display language of VS Code, from the `lang` attribute of the page. */
export const language = (): string => document.documentElement.lang || 'en';
