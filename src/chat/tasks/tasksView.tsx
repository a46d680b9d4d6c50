import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Icon, TextButton } from '../button.tsx';
import { Menu } from '../menu.tsx';
import { usePanel } from '../panelContext.ts';
import { stateWord } from '../stateLooks.ts';
import { t } from '../strings.ts';
import { placeOf } from '../target.ts';
import { pictureOf } from './layout.ts';
import { netMermaid, netText } from './netWords.ts';
import { TaskNode } from './taskNode.tsx';
import './tasks.css';
import { walk } from './walk.ts';

/** Milliseconds between two looks at what came while the tasks are on show. */
const pause = 500;

/** The tasks of the context as a picture of what rests on what, or as a list. */
export function TasksView(): JSX.Element {
  const panel = usePanel();
  const { tasks } = panel;
  useEffect(() => {
    void tasks.refresh();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void tasks.refresh();
      }, pause);
    };
    const stops = [panel.arrivals.subscribe(soon), panel.state.subscribe(state => {
      tasks.states(state?.tasks ?? []);
      soon();
    })];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);
  const read = tasks.read.value;
  return (
    <div class="tasks" id="panel-tasks" role="tabpanel" aria-labelledby="tab-tasks">
      {read !== undefined && (read.tasks.length === 0 ? <p class="column muted">{t('This context has no tasks yet. What the agent answers with a message alone makes none.')}</p> : <Net />)}
    </div>
  );
}

function Net(): JSX.Element {
  const panel = usePanel();
  const { tasks } = panel;
  const net = tasks.drawn.value;
  const picture = useMemo(() => pictureOf(net), [net]);
  const listed = tasks.listed.value;
  const [active, setActive] = useState<string | undefined>(undefined);
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<string | undefined>(undefined);
  const newest = net.nodes.findLast(node => node.tasks.some(({ elsewhere }) => elsewhere !== true));
  const at = Math.max(0, net.nodes.findIndex(({ key }) => key === (active ?? newest?.key)));
  const button = (place: number): HTMLElement | null | undefined => list.current?.children[place]?.querySelector<HTMLElement>('.net-main');
  useEffect(() => button(at)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [listed]);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const place = net.nodes.findIndex(({ taskId }) => taskId === wanted.current);
    wanted.current = undefined;
    button(place)?.focus();
  }, [net]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target as HTMLElement).classList.contains('net-main')) return;
    const step = { ArrowUp: at - 1, ArrowDown: at + 1 }[event.key];
    const to = listed && step !== undefined ? step : walk(picture, at, event.key);
    if (to === undefined) return;
    event.preventDefault();
    button(to)?.focus();
  };
  const lit = active === undefined ? undefined : at;
  return (
    <>
      <Tools />
      <div class={`net-box ${listed ? 'listed' : ''}`}>
        <div class="net" style={listed ? {} : { width: `${picture.width}px`, height: `${picture.height}px` }}>
          {!listed && (
            <svg class="net-lines" width={picture.width} height={picture.height} aria-hidden="true">
              {picture.lines.map(({ from, to, d, backward }) => (
                <path key={`${net.nodes[from]?.key} ${net.nodes[to]?.key}`} d={d} class={`${backward ? 'backward' : ''} ${from === lit || to === lit ? 'lit' : ''}`} />
              ))}
            </svg>
          )}
          <ol
            class="net-nodes" ref={list} aria-label={t('Tasks and what they refer to')} onKeyDown={onKeyDown}
            onFocusCapture={event => { if (event.target instanceof HTMLElement) setActive(event.target.closest('li')?.dataset['key']); }}
          >
            {net.nodes.map((node, place) => (
              <TaskNode
                key={node.key} net={net} place={place} at={listed ? undefined : picture.places[place]} active={place === at}
                onUnfold={() => {
                  wanted.current = node.taskId;
                  tasks.unfold(node.tasks);
                }}
              />
            ))}
          </ol>
        </div>
      </div>
    </>
  );
}

/** How many there are and in which states, and what can be done with all of them. */
function Tools(): JSX.Element {
  const panel = usePanel();
  const { tasks } = panel;
  const [copied, setCopied] = useState(false);
  const own = (tasks.read.value?.tasks ?? []).filter(({ elsewhere }) => elsewhere !== true);
  const older = tasks.read.value?.older ?? 0;
  const { left } = tasks.whole.value;
  const going = Map.groupBy(own.filter(({ state }) => placeOf(state) !== 'over'), ({ state }) => state);
  const numberOf = (taskId: string): number | undefined => panel.mark(taskId)?.number;
  const copy = async (text: string): Promise<void> => {
    if (!await panel.copy(text)) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <div class="column net-tools">
      <span class="net-sum muted">
        {[
          own.length === 1 ? t('1 task') : t('{0} tasks', own.length), ...[...going].map(([state, those]) => `${those.length} ${stateWord(state)}`),
          ...(older > 0 ? [t('{0} older ones are not shown', older)] : []), ...(left > 0 ? [t('{0} references to unknown tasks are not shown', left)] : []),
        ].join(' · ')}
      </span>
      {tasks.unfolded.value.size > 0 && <TextButton class="quiet" onClick={() => { tasks.unfolded.value = new Set(); }}>{t('Fold Finished Tasks')}</TextButton>}
      <button type="button" class="menu-button net-tool" aria-pressed={tasks.listed.value} onClick={() => { tasks.listed.value = !tasks.listed.peek(); }}>
        <Icon name="list-unordered" />{t('List')}
      </button>
      <Menu
        class="net-tool" label={t('Copy the tasks')}
        items={() => [
          { label: t('Copy as Text'), icon: 'list-flat', onPick: () => void copy(netText(tasks.whole.peek(), numberOf)) },
          { label: t('Copy as Mermaid'), icon: 'type-hierarchy', onPick: () => void copy(netMermaid(tasks.whole.peek(), numberOf)) },
        ]}
      >
        <Icon name={copied ? 'check' : 'copy'} />{copied ? t('Copied') : t('Copy')}<Icon name="chevron-down" />
      </Menu>
    </div>
  );
}
