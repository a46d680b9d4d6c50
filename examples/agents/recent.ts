const maxEntries = 1_000;
/** In UTF-16 code units. */
const maxKey = 200;

/** A map of the 1,000 entries that were set last: whoever asks for ever fills no memory. An entry with a long key is not kept at all. */
export class Recent<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    this.delete(key);
    if (key.length > maxKey) return this;
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > maxEntries && oldest !== undefined) this.delete(oldest);
    return this;
  }
}
