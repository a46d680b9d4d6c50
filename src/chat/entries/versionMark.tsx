import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { Icon } from '../widgets/button.tsx';
import { Menu, type MenuItem } from '../widgets/menu.tsx';
import type { ShownVersion } from '../host/chatState.ts';
import { usePanel } from '../panel/panelContext.ts';
import type { Panel } from '../panel/panel.ts';
import { localizedList, t } from '../text/strings.ts';
import { verdictWord } from '../widgets/verdicts.ts';

/** The version number of an artifact, the person's verdict on it, and its actions. */
export function VersionMark({ seq }: { readonly seq: number }): JSX.Element | null {
  const panel = usePanel();
  // Compared as JSON: the card renders again only where its own version changed.
  const shown = useComputed(() => JSON.stringify(panel.versions.value.get(seq) ?? null)).value;
  const version = JSON.parse(shown) as ShownVersion | null;
  if (version === null) return null;
  const { verdict } = version;
  const { revision, apart, same } = version;
  const of = version.of > 1 ? t('v{0} of {1}', version.version, version.of) : t('v{0}', version.version);
  const count = [
    of,
    ...(revision === undefined ? [] : [t('revision {0} of {1}', revision, revision)]),
    ...(apart ? [t('not streamed')] : []),
  ].join(' · ');
  // Where there is one version, its menu alone.
  const isOnly = version.of === 1 && revision === undefined && verdict === undefined;
  const words = localizedList([
    count,
    ...(same === undefined ? [] : [same === 'name' ? t('same name') : t('same artifact ID')]),
    ...(verdict === undefined ? [] : [verdictWord(verdict)]),
  ]);
  return (
    <Menu
      class={`version ${isOnly ? 'only' : (verdict ?? '')}`}
      label={t('Version of the artifact: {0}', words)}
      items={() => actionsOf(version, panel)}
    >
      {verdict !== undefined && <Icon name={verdict === 'accepted' ? 'pass' : 'circle-slash'} />}
      {!isOnly && <span>{count}</span>}
      <Icon name={isOnly ? 'ellipsis' : 'chevron-down'} />
    </Menu>
  );
}

function actionsOf(version: ShownVersion, panel: Panel): readonly MenuItem[] {
  const { seq, verdict } = version;
  const judge = (next: ShownVersion['verdict']): void => void panel.ask('judgeArtifact', { seq, verdict: next ?? null });
  const others = version.of > 1;
  const better = panel.betterVersion(version);
  return [
    ...(others
      ? [{ label: t('Compare with Another Version…'), icon: 'diff', onPick: () => void panel.ask('compareArtifact', { seq }) }]
      : []),
    ...((version.earlier ?? 0) > 0
      ? [{ label: t('Compare Revisions…'), icon: 'diff', onPick: () => void panel.ask('compareRevisions', { seq }) }]
      : []),
    verdict === 'accepted'
      ? { label: t('Undo Accept'), icon: 'discard', onPick: () => judge(undefined) }
      : { label: t('Accept'), icon: 'pass', onPick: () => judge('accepted') },
    verdict === 'rejected'
      ? { label: t('Undo Reject'), icon: 'discard', onPick: () => judge(undefined) }
      : { label: t('Reject'), icon: 'circle-slash', onPick: () => judge('rejected') },
    { label: t('Refine This'), icon: 'edit', group: '', onPick: () => panel.composer.target.refine(version) },
    ...(better === undefined
      ? []
      : [
          {
            label:
              better.verdict === 'accepted'
                ? t('Refine the Latest Accepted: v{0}', better.version)
                : t('Refine the Latest: v{0}', better.version),
            icon: 'edit',
            onPick: () => panel.composer.target.refine(better),
          },
        ]),
  ];
}
