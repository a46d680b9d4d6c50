import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import type { ReferenceOffer } from '../transcript/references.ts';
import { stateWord } from '../text/statePresentation.ts';
import { t } from '../text/strings.ts';
import { verdictWord } from '../widgets/verdicts.ts';
import { visibleName } from '../text/visible.ts';
import { scrollWithinPanel } from '../widgets/scrollWithinPanel.ts';

interface MentionListProps {
  readonly offers: readonly ReferenceOffer[];
  /** Index of the offer that Enter picks. */
  readonly active: number;
  readonly onPick: (offer: ReferenceOffer) => void;
}

/** The offers for an `@` in the composer. The focus stays in the text box, which refers to the active offer by id. */
export function MentionList({ offers, active, onPick }: MentionListProps): JSX.Element {
  const panel = usePanel();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current?.querySelector('[aria-selected=true]');
    if (element) scrollWithinPanel(element, 'nearest');
  }, [active]);
  return (
    <div class="mentions" id="mentions" role="listbox" aria-label={t('Refer to a task or an artifact')} ref={list}>
      {offers.length === 0 && <div class="muted mention">{t('No matching task or artifact in this context.')}</div>}
      {offers.map((offer, index) => (
        // Keeps the focus in the text box until the click.
        <div
          key={index}
          class="mention"
          id={`mention-${index}`}
          role="option"
          aria-selected={index === active}
          onMouseDown={event => event.preventDefault()}
          onClick={() => onPick(offer)}
        >
          <Icon name={offer.task === undefined ? 'package' : 'checklist'} />
          <span class="menu-label one-line">{visibleName(nameOf(offer), 80)}</span>
          <span class="menu-detail">{detailOf(offer, panel.mark(offer.reference.taskId)?.number)}</span>
        </div>
      ))}
    </div>
  );
}

const nameOf = ({ task, version, reference }: ReferenceOffer): string =>
  (task?.title ?? version?.name) || (reference.artifactId ?? reference.taskId);

function detailOf({ task, version }: ReferenceOffer, number: number | undefined): string {
  return [
    ...(version === undefined || version.of < 2 ? [] : [t('v{0} of {1}', version.version, version.of)]),
    ...(version?.verdict === undefined ? [] : [verdictWord(version.verdict)]),
    ...(number === undefined ? [] : [t('Task {0}', number)]),
    ...(task === undefined ? [] : [stateWord(task.state)]),
  ].join(' · ');
}
