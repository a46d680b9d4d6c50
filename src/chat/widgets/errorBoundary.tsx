import { Component, type ComponentChild, type ComponentChildren } from 'preact';
import { Icon } from './button.tsx';
import { t } from '../text/strings.ts';

interface BoundaryProps {
  readonly children: ComponentChildren;
  /** Rendered where rendering the children failed. Must not fail for the same reason. */
  readonly instead: (retry: () => void) => ComponentChild;
}

interface BoundaryState {
  readonly failed: boolean;
}

/** Maximum number of attempts: a row that fails on each chunk of a stream would cost as much each time. */
const maxTries = 3;

/** Limits a rendering error to its children: without a boundary, one entry would leave the whole page blank, each time it is opened. */
export class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failed: false };
  #tries = 0;

  static override getDerivedStateFromError(): BoundaryState {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error('This could not be drawn', error);
  }

  readonly #retry = (): void => {
    if (++this.#tries <= maxTries) this.setState({ failed: false });
  };

  override render(): ComponentChild {
    return this.state.failed ? this.props.instead(this.#retry) : this.props.children;
  }
}

/** Placeholder for a part of the page that could not be rendered, such as the timeline. */
export function RenderFailure(): ComponentChild {
  return (
    <p class="undrawn" role="note">
      <Icon name="warning" />{' '}
      {t('This part of the page could not be displayed. The history still has everything that was sent and received.')}
    </p>
  );
}
