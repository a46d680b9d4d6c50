const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

// What VS Code uses of @vscode/spdlog, writing plainly to the file; the files here live for one run, so nothing rotates.

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

class Logger {
  #file;
  #level = 2;
  #formatted = true;

  /**
   * @param {string} _type
   * @param {string} _name
   * @param {string} file
   */
  constructor(_type, _name, file) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, '');
  }

  /** @param {number} level @param {string} message */
  #write(level, message) {
    if (level < this.#level) return;
    const time = new Date().toISOString().replace('T', ' ').slice(0, 23);
    appendFileSync(this.#file, this.#formatted ? `${time} [${levels[level]}] ${message}\n` : message);
  }

  /** @param {string} message */ trace(message) {
    this.#write(0, message);
  }
  /** @param {string} message */ debug(message) {
    this.#write(1, message);
  }
  /** @param {string} message */ info(message) {
    this.#write(2, message);
  }
  /** @param {string} message */ warn(message) {
    this.#write(3, message);
  }
  /** @param {string} message */ error(message) {
    this.#write(4, message);
  }
  /** @param {string} message */ critical(message) {
    this.#write(5, message);
  }
  getLevel() {
    return this.#level;
  }
  /** @param {number} level */ setLevel(level) {
    this.#level = level;
  }
  setPattern() {
    this.#formatted = true;
  }
  clearFormatters() {
    this.#formatted = false;
  }
  flush() {
    /* Every line is written at once. */
  }
  drop() {
    /* No file is held open. */
  }
}

/** @param {string} name @param {string} file */
const createLogger = async (name, file) => new Logger('rotating', name, file);

// Assigned one by one: the names are read from the text where an ES module imports them.
exports.version = 1;
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
exports.setLevel = () => {
  /* Each logger has its own. */
};
exports.setFlushOn = () => {
  /* Every line is written at once. */
};
