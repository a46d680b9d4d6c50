import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, TextButton } from '../widgets/button.tsx';
import { Menu } from '../widgets/menu.tsx';
import type { ShownTask, ShownTasks } from '../host/taskGraphMessages.ts';
import { placeOf } from '../host/target.ts';
import type { Panel } from '../panel/panel.ts';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { type ContextTasks, isOwn } from '../panel/contextTasks.ts';
import { Gantt } from './gantt.tsx';
import { TaskNode } from './taskNode.tsx';
import './tasks.css';
import { tasksMermaid, tasksText } from './taskText.ts';
import { countsByState, nodeDependency, type NumberOf } from './taskWords.ts';
import { walk } from './walk.ts';
import { scrollWithinPanel } from '../widgets/scrollWithinPanel.ts';

/** Minimum time between two reads of the tasks while they are shown, in milliseconds; longer where a read is slow. */
const pause = 500;
/** Reads take at most one part in this many of the time. */
const share = 10;

/** The tasks of the context as a graph of their references, or as a list. */
export function TasksView(): JSX.Element {
  const panel = usePanel();
  const { tasks } = panel;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let took = 0;
    const look = async (): Promise<void> => {
      const start = performance.now();
      await tasks.refresh();
      took = performance.now() - start;
    };
    const soon = (): void => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          void look();
        },
        Math.max(pause, took * share),
      );
    };
    void look();
    const stops = [
      panel.arrivals.subscribe(soon),
      panel.state.subscribe(state => {
        tasks.states(state?.tasks ?? []);
        soon();
      }),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);
  const read = tasks.read.value;
  return (
    <div class="tasks" id="panel-tasks" role="tabpanel" aria-labelledby="tab-tasks">
      {read !== undefined &&
        (read.tasks.length === 0 ? (
          <p class="column muted">{t('This context has no tasks yet. An answer that is only a message creates none.')}</p>
        ) : (
          <Net picture={read} />
        ))}
    </div>
  );
}

function Net({ picture }: { readonly picture: ShownTasks }): JSX.Element {
  const { tasks, mark } = useTasks();
  const { lines } = picture;
  const nodes = tasks.nodes.value;
  const listed = tasks.listed.value;
  const [active, setActive] = useState<string | undefined>(undefined);
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<string | undefined>(undefined);
  const newest = nodes.findLast(node => node.tasks.some(isOwn));
  const at = Math.max(
    0,
    nodes.findIndex(({ key }) => key === (active ?? newest?.key)),
  );
  const button = (place: number): HTMLElement | null | undefined => list.current?.children[place]?.querySelector<HTMLElement>('.net-main');
  useEffect(() => {
    const element = button(at);
    if (element) scrollWithinPanel(element, 'nearest');
  }, [listed]);
  useEffect(() => {
    const place = nodes.findIndex(({ taskId, tasks: those }) => taskId === wanted.current && those.length === 1);
    if (place < 0) return;
    wanted.current = undefined;
    button(place)?.focus();
  }, [nodes]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target as HTMLElement).classList.contains('net-main')) return;
    const step = { ArrowUp: at - 1, ArrowDown: at + 1 }[event.key];
    const to = listed && step !== undefined ? step : walk(nodes, lines, at, event.key);
    if (to === undefined) return;
    event.preventDefault();
    button(to)?.focus();
  };
  const lit = active === undefined ? undefined : at;
  const size = { width: `${picture.width}px`, height: `${picture.height}px` };
  return (
    <>
      <Tools picture={picture} />
      <Times tasks={picture.tasks} />
      <div class={`net-box ${listed ? 'listed' : ''}`}>
        <div class="net" style={listed ? {} : size}>
          {!listed && (
            <svg class="net-lines" width={picture.width} height={picture.height} aria-hidden="true">
              {lines.map(({ from, to, d, backward }) => (
                <path
                  key={`${nodes[from]?.key} ${nodes[to]?.key}`}
                  d={d}
                  class={`${backward ? 'backward' : ''} ${from === lit || to === lit ? 'lit' : ''}`}
                />
              ))}
            </svg>
          )}
          <ol
            class="net-nodes"
            ref={list}
            aria-label={t('Task dependencies')}
            onKeyDown={onKeyDown}
            onFocusCapture={event => {
              if (event.target instanceof HTMLElement) setActive(event.target.closest('li')?.dataset['key']);
            }}
          >
            {nodes.map((node, place) => (
              <TaskNode
                key={node.key}
                node={node}
                ground={nodeDependency(nodes, lines, place, mark)}
                numberOf={mark}
                listed={listed}
                active={place === at}
                onUnfold={() => {
                  wanted.current = node.taskId;
                  void tasks.unfold([...tasks.unfolded.peek(), ...node.tasks.map(({ taskId }) => taskId)]);
                }}
              />
            ))}
          </ol>
        </div>
      </div>
    </>
  );
}

/** Times of the tasks, where there are several. */
function Times({ tasks }: { readonly tasks: readonly ShownTask[] }): JSX.Element | null {
  const own = tasks.filter(isOwn);
  return own.filter(({ states }) => states !== undefined).length < 2 ? null : <Gantt tasks={own} />;
}

function useTasks(): { readonly panel: Panel; readonly tasks: ContextTasks; readonly mark: NumberOf } {
  const panel = usePanel();
  return { panel, tasks: panel.tasks, mark: taskId => panel.mark(taskId)?.number };
}

/** Number of tasks per state, and the actions for all of them. */
function Tools({ picture }: { readonly picture: ShownTasks }): JSX.Element {
  const { panel, tasks, mark } = useTasks();
  const [copied, setCopied] = useState(false);
  const { older, left } = picture;
  const own = picture.tasks.filter(isOwn);
  const count = own.length + older;
  const copy = async (text: string): Promise<void> => {
    if (!(await panel.copy(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <div class="column net-tools">
      <span class="net-sum muted">
        {[
          count === 1 ? t('1 task') : t('{0} tasks', count),
          ...countsByState(own.filter(({ state }) => placeOf(state) !== 'over')),
          ...(older > 0 ? [t('{0} older ones are not shown', older)] : []),
          ...(left > 0 ? [t('{0} references to unknown tasks are not shown', left)] : []),
        ].join(' · ')}
      </span>
      {tasks.unfolded.value.length > 0 && (
        <TextButton class="quiet" onClick={() => void tasks.unfold([])}>
          {t('Fold Finished Tasks')}
        </TextButton>
      )}
      <button
        type="button"
        class="menu-button net-tool"
        aria-pressed={tasks.listed.value}
        onClick={() => {
          tasks.listed.value = !tasks.listed.peek();
        }}
      >
        <Icon name="list-unordered" />
        {t('List')}
      </button>
      <Menu
        class="net-tool"
        label={t('Copy Tasks')}
        items={() => [
          { label: t('Copy as Text'), icon: 'list-flat', onPick: () => void copy(tasksText(picture.tasks, mark)) },
          { label: t('Copy as Mermaid'), icon: 'type-hierarchy', onPick: () => void copy(tasksMermaid(picture.tasks, mark)) },
        ]}
      >
        <Icon name={copied ? 'check' : 'copy'} />
        {copied ? t('Copied') : t('Copy')}
        <Icon name="chevron-down" />
      </Menu>
    </div>
  );
}
