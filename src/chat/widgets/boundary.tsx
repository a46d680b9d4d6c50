import { Component, type ComponentChild, type ComponentChildren } from 'preact';
import { Icon } from './button.tsx';
import { t } from '../text/strings.ts';

interface BoundaryProps {
  readonly children: ComponentChildren;
  /** What is drawn where the children cannot be. Must not fail on what made them fail. */
  readonly instead: (retry: () => void) => ComponentChild;
}

interface BoundaryState {
  readonly failed: boolean;
}

/** So often at most what failed is drawn anew: what fails on each chunk of a stream costs as much each time. */
const mostTries = 3;

/** Keeps a fault in drawing to what it happens in: without one, a single entry leaves the whole page blank, at every opening. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failed: false };
  #tries = 0;

  static override getDerivedStateFromError(): BoundaryState {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error('This could not be drawn', error);
  }

  readonly #retry = (): void => {
    if (++this.#tries <= mostTries) this.setState({ failed: false });
  };

  override render(): ComponentChild {
    return this.state.failed ? this.props.instead(this.#retry) : this.props.children;
  }
}

/** In the place of a part of the page, such as the timeline. */
export function Undrawn(): ComponentChild {
  return (
    <p class="undrawn" role="note">
      <Icon name="warning" /> {t('This part of the page could not be drawn. What was sent and received is kept in the history.')}
    </p>
  );
}
