import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, IconButton } from '../widgets/button.tsx';
import type { DraftPart, SendingOptions } from '../host/draft.ts';
import { imageType } from '../text/imageType.ts';
import { byteSize, utf8Size } from '../text/measures.ts';
import { Menu, type MenuItem } from '../widgets/menu.tsx';
import { usePanel } from '../panel/panelContext.ts';
import { localizedList, t } from '../text/strings.ts';
import { visible, visibleName } from '../text/visible.ts';
import { type Slot, slotsOf } from '../draft/slots.ts';

/** The parts of the next message besides its text, in order, and its output modes. Renders nothing while there is only text. */
export function DraftChips(): JSX.Element | null {
  const { composer } = usePanel();
  const list = useRef<HTMLUListElement>(null);
  const { order, wanted } = composer.parts;
  const uploads = composer.attachments.uploads.value;
  const slots = order.value.parts.length === 0 ? [] : slotsOf(order.value);
  const metadata = composer.metadata.value.trim() !== '';
  const modes = composer.outputModes.value;
  const how = howWords(composer.how.value);
  // Runs after the DOM has the new order: a moved element loses the focus.
  useEffect(() => {
    if (wanted.value !== undefined)
      list.current?.querySelector<HTMLElement>(`[data-part="${CSS.escape(wanted.value.id)}"] button`)?.focus();
  }, [wanted.value]);
  if (slots.length + uploads.length + modes.length + how.length === 0 && !metadata) return null;
  return (
    <ul class="draft-parts" ref={list} aria-label={t('Parts of the message, in order')} aria-live="polite" aria-relevant="additions">
      {slots.map((slot, index) => (
        <SlotChip key={idOf(slot)} slot={slot} index={index} last={slots.length - 1} />
      ))}
      {uploads.map(({ id, name, share }) => (
        <li key={id} class="chip draft-part" aria-busy="true">
          <Icon name="loading" spin />
          <span class="chip-words one-line">{visibleName(name, 40)}</span>
          <span class="chip-facts">{t('{0} %', Math.round(share * 100))}</span>
        </li>
      ))}
      {metadata && (
        <Setting
          icon="tag"
          words={t('Metadata')}
          label={t('Change Message Metadata')}
          remove={t('Remove Metadata')}
          onEdit={() => composer.editor.open({ kind: 'metadata' })}
          onRemove={() => composer.change(composer.metadata, '')}
        />
      )}
      {modes.length > 0 && (
        <Setting
          icon="filter"
          words={t('Answer: {0}', visibleName(localizedList(modes), 60))}
          label={t('Change Accepted Output Modes')}
          remove={t('Accept any output')}
          onEdit={() => composer.editor.open({ kind: 'modes' })}
          onRemove={() => composer.change(composer.outputModes, [])}
        />
      )}
      {how !== '' && (
        <Setting
          icon="settings"
          words={how}
          label={t('Change Sending Options')}
          remove={t('Send as the Card Declares')}
          onEdit={() => composer.editor.open({ kind: 'sending' })}
          onRemove={() => composer.change(composer.how, {})}
        />
      )}
    </ul>
  );
}

const howWords = ({ streaming, returnImmediately, historyLength, once }: SendingOptions): string =>
  [
    returnImmediately === true ? t('Return immediately') : streaming === false ? t('Without streaming') : '',
    historyLength === undefined ? '' : t('History length {0}', historyLength),
    once === true ? t('next message only') : '',
  ]
    .filter(Boolean)
    .join(' · ');

const idOf = (slot: Slot): string => (slot === 'text' ? 'text' : slot.id);

function SlotChip({ slot, index, last }: { readonly slot: Slot; readonly index: number; readonly last: number }): JSX.Element {
  const { composer } = usePanel();
  const { parts } = composer;
  const id = idOf(slot);
  const { icon, name, facts } = slot === 'text' ? { icon: 'comment', name: t('Text'), facts: '' } : looks(slot);
  const remove = (): void => parts.remove(id);
  const items = (): readonly MenuItem[] => [
    ...(slot !== 'text' && (slot.kind === 'data' || slot.kind === 'text')
      ? [{ label: t('Edit…'), icon: 'edit', onPick: () => composer.editor.open({ kind: 'part', part: slot }) }]
      : []),
    ...(index > 0 ? [{ label: t('Move Earlier'), detail: t('Alt+Up'), icon: 'arrow-left', onPick: () => parts.move(index, -1, id) }] : []),
    ...(index < last
      ? [{ label: t('Move Later'), detail: t('Alt+Down'), icon: 'arrow-right', onPick: () => parts.move(index, 1, id) }]
      : []),
    ...(slot === 'text' ? [] : [{ label: t('Remove'), detail: t('Delete'), icon: 'close', onPick: remove }]),
  ];
  const onKeyDown = (event: KeyboardEvent): void => {
    // The open menu handles its own keys.
    if ((event.target as HTMLElement).closest('[role=menu]') !== null) return;
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    if (by !== undefined) parts.move(index, by, id);
    else if (slot !== 'text' && (event.key === 'Delete' || event.key === 'Backspace')) remove();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const refused = slot !== 'text' && slot.kind === 'file' ? slot.refused : undefined;
  const label = localizedList([facts === '' ? name : `${name} ${facts}`, ...(refused === undefined ? [] : [visible(refused)])]);
  return (
    <li class={`chip draft-part ${refused === undefined ? '' : 'doubtful'}`} data-part={id} onKeyDownCapture={onKeyDown}>
      <Menu class="draft-part-name" label={t('Part {0}: {1}. Change', index + 1, label)} items={items}>
        {slot !== 'text' && slot.kind === 'file' && slot.mediaType.startsWith('image/') ? (
          <Thumbnail id={slot.id} />
        ) : (
          <Icon name={refused === undefined ? icon : 'warning'} />
        )}
        <span class="chip-words one-line">{name}</span> {facts !== '' && <span class="chip-facts">{facts}</span>}
      </Menu>
      {slot !== 'text' && <IconButton icon="close" label={t('Remove {0}', name)} onClick={remove} />}
    </li>
  );
}

/** Presentation of a part: icon, name, and media type with size. */
function looks(part: DraftPart): { readonly icon: string; readonly name: string; readonly facts: string } {
  const type = part.mediaType === undefined ? '' : visibleName(part.mediaType, 40);
  const facts = (bytes: number): string => [type, byteSize(bytes)].filter(Boolean).join(' · ');
  switch (part.kind) {
    case 'file':
      return { icon: 'file', name: visibleName(part.name === '' ? t('File') : part.name, 40), facts: facts(part.size) };
    case 'text':
      return { icon: 'selection', name: visibleName(part.name ?? part.text, 40), facts: facts(utf8Size(part.text)) };
    case 'data':
      return { icon: 'json', name: t('Data'), facts: facts(utf8Size(part.json)) };
    case 'link':
      return { icon: 'link', name: visibleName(part.name ?? part.url, 40), facts: type };
  }
}

/** A thumbnail of an attached picture; its icon until the bytes are loaded, or where the panel cannot show them. */
function Thumbnail({ id }: { readonly id: string }): JSX.Element {
  const { attachments } = usePanel().composer;
  const [source, setSource] = useState<string>();
  useEffect(() => {
    let current = true;
    void attachments.thumbnail(id).then(raw => {
      const type = raw === undefined ? undefined : imageType(raw);
      if (current && type !== undefined) setSource(`data:${type};base64,${raw}`);
    });
    return () => {
      current = false;
    };
  }, [id]);
  return source === undefined ? (
    <Icon name="file-media" />
  ) : (
    <img class="thumbnail" src={source} alt="" onError={() => setSource(undefined)} />
  );
}

interface SettingProps {
  readonly icon: string;
  readonly words: string;
  readonly label: string;
  /** Label of the button that removes it. */
  readonly remove: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function Setting({ icon, words, label, remove, onEdit, onRemove }: SettingProps): JSX.Element {
  return (
    <li class="chip draft-part">
      <button type="button" class="menu-button draft-part-name" title={label} aria-label={t('{0}. {1}', words, label)} onClick={onEdit}>
        <Icon name={icon} />
        <span class="chip-words one-line">{words}</span>
      </button>
      <IconButton icon="close" label={remove} onClick={onRemove} />
    </li>
  );
}
