import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter, FileType } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { askForAddress } = await import('../../../src/workbench/agents/askForAddress.ts');

interface Row {
  readonly label: string;
  readonly kind?: number;
  readonly description?: string;
  readonly alwaysShow?: boolean;
  readonly detail?: string;
}

/** A list as VS Code shows it: what is typed filters the rows there are at once, and the rows of the extension come a moment later. */
class ShownPick {
  value = '';
  items: readonly Row[] = [];
  activeItems: readonly Row[] = [];
  readonly #changed = new EventEmitter<string>();
  readonly #active = new EventEmitter<readonly Row[]>();
  readonly #accepted = new EventEmitter<undefined>();
  readonly onDidChangeValue = this.#changed.event;
  readonly onDidChangeActive = this.#active.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = new EventEmitter<undefined>().event;
  show(): void {}
  dispose(): void {}

  get matching(): readonly Row[] {
    const fits = (row: Row) => row.alwaysShow === true || `${row.label} ${row.description}`.includes(this.value);
    return this.items.filter(row => row.kind === undefined && fits(row));
  }

  type(value: string): void {
    this.value = value;
    this.activate(this.matching[0]);
    this.#changed.fire(value);
  }

  /** The rows of the extension have arrived: the first one is active. */
  arrive(): void {
    this.activate(this.matching[0]);
  }

  activate(row: Row | undefined): void {
    this.activeItems = row === undefined ? [] : [row];
    this.#active.fire(this.activeItems);
  }

  accept(): void {
    this.#accepted.fire(undefined);
  }
}

suite('the address of an agent to add', () => {
  const quay = 'http://127.0.0.1:9/quay';
  let root: string;
  let pick: ShownPick;
  let restore: (() => void)[];
  setup(() => {
    root = mkdtempSync(join(tmpdir(), 'a2a-address-'));
    writeFileSync(join(root, 'quay.a2a'), JSON.stringify({ agent: quay, message: 'Hello' }));
    pick = new ShownPick();
    const file = { fsPath: join(root, 'quay.a2a'), path: join(root, 'quay.a2a') };
    restore = [
      inPlaceOf('window', { createQuickPick: () => pick, terminals: [] }),
      inPlaceOf('workspace', {
        findFiles: async (pattern: string) => (pattern.includes('.a2a') ? [file] : []),
        asRelativePath: () => 'quay.a2a',
        fs: {
          stat: async () => ({ size: 100, type: FileType.File }),
          readFile: async () => new TextEncoder().encode(JSON.stringify({ agent: quay, message: 'Hello' })),
        },
      }),
    ];
  });
  teardown(() => {
    for (const each of restore) each();
    rmSync(root, { recursive: true });
  });

  const asked = async () => {
    const address = askForAddress({ configuredAt: () => undefined, onThisMachine: async () => undefined } as never);
    await eventually(() =>
      assert.ok(pick.items.some(({ description }) => description === quay) && pick.items.some(({ detail }) => detail?.includes('9999'))),
    );
    pick.arrive();
    return address;
  };
  const row = (description: string) => pick.items.find(each => each.description === description);

  test('is the one that was typed, though the list still shows what an earlier text found', async () => {
    const address = asked();
    await eventually(() => assert.equal(pick.activeItems[0]?.description, quay));
    pick.type('http://');
    pick.accept();
    assert.equal(await address, 'http://');
  });

  test('is the one that was typed where the list shows it', async () => {
    const address = asked();
    await eventually(() => assert.equal(pick.activeItems[0]?.description, quay));
    pick.type('http://127');
    pick.arrive();
    assert.match(pick.activeItems[0]?.label ?? '', /http:\/\/127$/);
    pick.accept();
    assert.equal(await address, 'http://127');
  });

  test('is that of the row that was chosen after typing', async () => {
    const address = asked();
    await eventually(() => assert.equal(pick.activeItems[0]?.description, quay));
    pick.type('http://127');
    pick.arrive();
    pick.activate(row(quay));
    pick.accept();
    assert.equal(await address, quay);
  });

  test('is asked for in words where none was found', async () => {
    const back = inPlaceOf('workspace', { findFiles: async () => [] });
    void askForAddress({ configuredAt: () => undefined, onThisMachine: async () => undefined } as never);
    await eventually(() => assert.equal(pick.items.at(-1)?.label, '$(info) No agent found on common ports. Enter a URL.'));
    back();
  });

  test('may be at a port that is not asked: the row that says which are is no address', async () => {
    let answered = false;
    const address = asked().finally(() => {
      answered = true;
    });
    await eventually(() => assert.equal(pick.activeItems[0]?.description, quay));
    const told = pick.items.at(-1)!;
    assert.match(told.label, /on another port/);
    assert.match(told.detail ?? '', /^Searched ports: 9999, 41241–41242, 10000–10005, .*, 50051$/);
    pick.activate(told);
    pick.accept();
    await new Promise(resolve => {
      setImmediate(resolve);
    });
    assert.equal(answered, false);
    pick.activate(row(quay));
    pick.accept();
    assert.equal(await address, quay);
  });

  test('is that of the row whose name was typed', async () => {
    const address = asked();
    await eventually(() => assert.equal(pick.activeItems[0]?.description, quay));
    pick.type('quay');
    pick.arrive();
    pick.accept();
    assert.equal(await address, quay);
  });

  test('is offered where an agent runs on this machine, but for those of the list', async () => {
    const url = 'http://127.0.0.1:9999/';
    const onThisMachine = async (port: number) => (port === 9999 ? { name: 'Harbour master', url } : undefined);
    const offered = (): boolean => pick.items.some(each => each.description === url && each.label.endsWith('Harbour master'));
    void askForAddress({ configuredAt: () => undefined, onThisMachine } as never);
    await eventually(() => assert.ok(offered()));
    pick = new ShownPick();
    void askForAddress({ configuredAt: (address: string) => (address === url ? {} : undefined), onThisMachine } as never);
    await eventually(() => assert.ok(pick.items.some(({ description }) => description === quay)));
    assert.equal(offered(), false);
  });
});
