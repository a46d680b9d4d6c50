import { copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Workbench } from './workbench.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Pictures that the README shows; `A2A_PICTURES=1` puts them where it takes them from. */
const inReadme: readonly string[] = ['chat-dark', 'request-light', 'tasks-dark'];

/** A screenshot without anything under the mouse. */
export async function picture(workbench: Workbench, name: string): Promise<void> {
  await workbench.page.mouse.move(200, 600);
  await workbench.screenshot(name);
  if (process.env['A2A_PICTURES'] !== '1' || !inReadme.includes(name)) return;
  const folder = join(root, 'media', 'screenshots');
  await mkdir(folder, { recursive: true });
  await copyFile(join(root, 'test-output', 'screenshots', `${name}.png`), join(folder, `${name}.png`));
}
