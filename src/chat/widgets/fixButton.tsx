import type { JSX } from 'preact';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { IconButton } from './button.tsx';

/** Fills the evidence of a finding into the chat of VS Code; absent where that has none. */
export function FixButton({ exchangeId, finding }: { readonly exchangeId: string; readonly finding: number }): JSX.Element | null {
  const panel = usePanel();
  if (panel.state.value?.offersFix !== true) return null;
  return <IconButton icon="sparkle" label={t('Fix with Chat')} onClick={() => void panel.ask('fixWithChat', { exchangeId, finding })} />;
}
