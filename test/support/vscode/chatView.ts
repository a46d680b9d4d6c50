import type { Frame, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';
import { shownText } from '../chatHarness/shownText.ts';

/** The visible chat panel of an agent, operated as a person does: text box, buttons and shown text. */
export class ChatView {
  readonly #workbench: Workbench;

  readonly #agent: string;

  constructor(workbench: Workbench, agent: string) {
    this.#workbench = workbench;
    this.#agent = agent;
  }

  /** The panel's document; asked for anew each time, since a reload replaces it. */
  frame(timeoutMs?: number): Promise<Frame> {
    return this.#workbench.chatFrame(this.#agent, timeoutMs);
  }

  async locator(selector: string): Promise<Locator> {
    return (await this.frame()).locator(selector);
  }

  /** Types a message and sends it with Enter. */
  async send(text: string): Promise<void> {
    const box = (await this.frame()).getByRole('textbox');
    await box.fill(text);
    await box.press('Enter');
  }

  /** Takes the reference to the task that was finished last. */
  async refer(): Promise<void> {
    await (await this.locator('.chip.offered')).click();
  }

  /** Waits until the panel shows this text somewhere. */
  async shows(text: string | RegExp, timeout = 45_000): Promise<void> {
    await (await this.frame()).getByText(text).first().waitFor({ timeout });
  }

  async press(name: string | RegExp): Promise<void> {
    await (await this.frame()).getByRole('button', { name }).first().click();
  }

  /** Waits until the person's turn has come: nothing runs. */
  async idle(timeout = 45_000): Promise<void> {
    const frame = await this.frame();
    await frame.getByRole('textbox').waitFor();
    // A message is on its way to the extension before it runs.
    await frame.locator('.composer[aria-busy=true]').waitFor({ state: 'detached', timeout });
    await frame.locator('button.stop').waitFor({ state: 'detached', timeout });
  }

  /** Waits until something runs. */
  async busy(): Promise<void> {
    await (await this.locator('button.stop')).waitFor();
  }

  /** All text of the transcript. */
  async text(): Promise<string> {
    return shownText((await this.frame()).getByRole('log'));
  }
}
