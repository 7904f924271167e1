"use strict";
// The messages of the verifier's page, filled in as the server fills in its own: src/messages.
globalThis.EstreatWords = (() => {
  const MARKS = { en: { thousands: ",", decimal: "." }, de: { thousands: ".", decimal: "," } };
  const isSaid = (value) => typeof value === "object" && value !== null;

  /** The words of one language; `messages` are rows of pieces, by their keys. */
  class Words {
    #messages;
    #marks;
    #plural;

    constructor(lang, messages) {
      this.lang = lang;
      this.#messages = messages;
      this.#marks = MARKS[lang];
      this.#plural = new Intl.PluralRules(lang);
    }

    /** A whole number to the digit. */
    number(value) {
      return String(value).replace(/\B(?=(\d{3})+$)/g, this.#marks.thousands);
    }

    /** A number, or the digits of a second, with the language's decimal mark. */
    decimal(text) {
      return text.replace(".", this.#marks.decimal);
    }

    /** A message as runs of text, each with its style; what is put in is never read as markup. A
     * number is written to the digit, a text stands apart, `{ key, args }` is said in turn. */
    runs(key, args = {}) {
      const runs = [];
      const style = { code: false, strong: false };
      const add = (text, more) => text && runs.push({ ...style, outside: false, name: null, text, ...more });
      const read = (text) => {
        for (const part of text.split(/([`*])/)) {
          if (part === "`") style.code = !style.code;
          else if (part === "*") style.strong = !style.strong;
          else add(part);
        }
      };
      const put = (name) => {
        const value = args[name];
        if (typeof value === "number") add(this.number(value));
        else if (isSaid(value)) for (const run of this.runs(value.key, value.args)) runs.push({ ...run, code: run.code || style.code });
        else add(String(value), { outside: true, name });
      };
      const walk = (pieces) => {
        for (const piece of pieces) {
          if (typeof piece === "string") read(piece);
          else if (piece.arg) put(piece.arg);
          else walk(this.#choice(piece, args[piece.by]));
        }
      };
      walk(this.#messages[key] ?? [key]);
      return runs;
    }

    /** A message as plain text. */
    text(key, args) {
      return this.runs(key, args).map((run) => run.text).join("");
    }

    #choice({ of, or }, value) {
      if (typeof value !== "number") return of[or];
      return of[value] ?? of[this.#plural.select(value)] ?? of[or];
    }
  }
  return Words;
})();
