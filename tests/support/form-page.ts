import { type Document, type Element, isTag } from "domhandler";
import { DomUtils, parseDocument } from "htmlparser2";
import { isSecretField } from "../../app/forms/secret-fields.ts";

type Typed = Record<string, string | boolean | readonly (string | File)[]>;
type Send = (address: string, options?: RequestInit) => Promise<FormPage>;

const toText = (element: Element | undefined) =>
  element ? DomUtils.innerText(element).replaceAll(/\s+/g, " ").trim() : "";
/** The accessible name of a link or a button. */
const getName = (element: Element) => element.attribs["aria-label"] ?? toText(element);
const fits = (text: string, words: string) => text.toLowerCase().includes(words.toLowerCase());

/** The text of a page, read on every access. */
export const withoutAges = (text: string) => text.replaceAll(/\d+ (s|min|h) ago/g, "ago");

/** A page as it was returned: its text, links and forms as a visitor without script has them. */
export class FormPage {
  readonly #document: Document;

  constructor(
    readonly url: URL,
    readonly status: number,
    readonly headers: Headers,
    readonly html: string,
    private readonly send: Send,
  ) {
    this.#document = parseDocument(html);
    const ids = DomUtils.find(
      (node) => isTag(node) && Boolean(node.attribs.id),
      this.#document.children,
      true,
      1e6,
    ).map((node) => (node as Element).attribs.id!);
    const twice = ids.filter((id, index) => ids.indexOf(id) < index);
    if (twice.length > 0) throw new Error(`At ${this.address} these ids stand more than once: ${twice.join(", ")}`);
    for (const { attribs } of this.#all("input")) {
      const isKnown = attribs.type !== "password" || isSecretField(attribs.name ?? "");
      if (!isKnown) throw new Error(`At ${this.address} what is typed into ${attribs.name} could be kept.`);
    }
  }

  /** Path and query. */
  get address(): string {
    return this.url.pathname + this.url.search;
  }

  get heading(): string {
    return toText(this.#all("h1")[0]);
  }

  /** All of its text. */
  get text(): string {
    return toText(this.#all("body")[0]);
  }

  /** The texts of its table rows that contain these words. */
  rows(words: string): string[] {
    return this.#all("tr")
      .map(toText)
      .filter((text) => fits(text, words));
  }

  /** The target of the link with these words: the first exact match, otherwise the first partial one. */
  link(words: string): string {
    const fitting = this.#all("a").filter((one) => fits(getName(one), words));
    const found = fitting.find((one) => getName(one) === words) ?? fitting[0];
    if (!found?.attribs.href) throw new Error(`No link says “${words}” at ${this.address}.`);
    return new URL(found.attribs.href, this.url).href;
  }

  /** The value of a field. */
  value(name: string): string | undefined {
    const control = this.#named(name);
    if (control.name === "select") return currentValue(control);
    if (control.attribs.type === "radio") {
      const chosen = this.#all("input").find(({ attribs }) => attribs.name === name && "checked" in attribs);
      return chosen?.attribs.value;
    }
    return control.name === "textarea" ? DomUtils.textContent(control).replace(/^\n/, "") : control.attribs.value;
  }

  /** The error of a field: the text that describes it. */
  errors(name: string): string {
    const control = this.#named(name);
    if (control.attribs["aria-invalid"] !== "true") return "";
    const ids = (control.attribs["aria-describedby"] ?? "").split(" ");
    return ids
      .map((id) => toText(DomUtils.getElementById(id, this.#document) ?? undefined))
      .filter((words) => words.startsWith("Error:"))
      .join(" ")
      .replace("Error: ", "");
  }

  /** Follows the link with these words. */
  async follow(words: string): Promise<FormPage> {
    return await this.send(this.link(words));
  }

  /**
   * Presses a button, with these values in its form's fields and the others unchanged. Only existing fields accept a
   * value. A single checkbox is ticked by `true` and cleared by `false`, several of one name by a list of values; several
   * other fields of one name take a list in their order.
   * @param around text in the form, or in its table row; for pages with several similar forms
   */
  async submit(
    button: string,
    values: Record<string, string | boolean | string[] | File[]> = {},
    around = "",
  ): Promise<FormPage> {
    const fitting = this.#all("button").filter(
      (one) => fits(getName(one), button) && this.#formOf(one) && fits(this.#surroundingsOf(one), around),
    );
    const pressed = fitting.find((one) => getName(one) === button) ?? fitting[0];
    const form = pressed && this.#formOf(pressed);
    if (!pressed || !form) throw new Error(`No form at ${this.address} has the button “${button}”.`);
    const entries = this.#entriesOf(form, pressed, values);
    const names = new Set(this.#controlsOf(form).map(({ attribs }) => attribs.name));
    const missing = Object.keys(values).filter((name) => !names.has(name));
    if (missing.length > 0) throw new Error(`The form at ${this.address} has no ${missing.join(", ")}.`);

    // A dialog closes, and the page is as before.
    if (form.attribs.method === "dialog") return this;
    const target = new URL(pressed.attribs.formaction ?? form.attribs.action ?? this.url.href, this.url);
    const method = pressed.attribs.formmethod ?? form.attribs.method ?? "get";
    if (method.toLowerCase() === "post") {
      const isMultipart = form.attribs.enctype === "multipart/form-data";
      const body = isMultipart
        ? entries
        : new URLSearchParams([...entries].map(([key, value]) => [key, String(value)]));
      return await this.send(target.href, { method: "POST", body });
    }
    target.search = new URLSearchParams([...entries].map(([key, value]) => [key, String(value)])).toString();
    return await this.send(target.href);
  }

  /** The names of the buttons that send a form, in page order. */
  buttons(): string[] {
    return this.#all("button")
      .filter((one) => this.#formOf(one))
      .map(getName);
  }

  /** Those inside such an element. */
  buttonsIn(tag: string): string[] {
    return this.#all("button")
      .filter((one) => this.#formOf(one) && ancestors(one).some(({ name }) => name === tag))
      .map(getName);
  }

  /** The text of its first alert; "" without one. */
  alert(): string {
    return toText(DomUtils.findOne((node) => node.attribs.role === "alert", this.#document.children) ?? undefined);
  }

  /** Every address that it links to. */
  links(): URL[] {
    return this.#all("a").flatMap(({ attribs: { href } }) => (href ? [new URL(href, this.url)] : []));
  }

  /** The form data of each button that posts: fields unchanged, with these values ticked or chosen where offered. */
  posts(offered: readonly string[]): { target: URL; entries: [string, string][] }[] {
    return this.#all("button").flatMap((pressed) => {
      const form = this.#formOf(pressed);
      const method = pressed.attribs.formmethod ?? form?.attribs.method;
      const isSent = form && (pressed.attribs.type ?? "submit") === "submit" && method?.toLowerCase() === "post";
      if (!isSent) return [];
      const controls = this.#controlsOf(form).filter(({ attribs }) => attribs.name);
      const values: Typed = {};
      for (const control of controls) {
        const { name = "", type, value = "" } = control.attribs;
        const chosen = getOptions(control).find((one) => offered.includes(one));
        if (type === "checkbox" && offered.includes(value)) values[name] = offered;
        else if (chosen) values[name] = chosen;
      }
      const entries = [...this.#entriesOf(form, pressed, values)].map(
        ([name, value]) => [name, String(value)] as [string, string],
      );
      return [
        { target: new URL(pressed.attribs.formaction ?? form.attribs.action ?? this.url.href, this.url), entries },
      ];
    });
  }

  #entriesOf(form: Element, pressed: Element, values: Typed): FormData {
    const entries = new FormData();
    for (const control of this.#controlsOf(form)) {
      const { name, type = "text", value = "on", checked } = control.attribs;
      if (!name || control.attribs.disabled !== undefined) continue;
      if (control.name === "button") {
        if (control === pressed) entries.append(name, control.attribs.value ?? "");
      } else if (type === "checkbox" || type === "radio") {
        const given = values[name];
        const isTicked = Array.isArray(given) ? given.includes(value) : given === true || given === value;
        const isChecked = given === undefined ? checked !== undefined : isTicked;
        if (isChecked) entries.append(name, value);
      } else if (type === "file") {
        const files = entries.has(name) ? [] : (values[name] ?? []);
        for (const file of Array.isArray(files) && files.length > 0 ? files : [new File([], "")])
          entries.append(name, file as File);
      } else {
        const given = values[name];
        const typed = Array.isArray(given) ? given[entries.getAll(name).length] : given;
        entries.append(name, String(typed ?? currentValue(control)));
      }
    }
    return entries;
  }

  #all(name: string): Element[] {
    return DomUtils.getElementsByTagName(name, this.#document);
  }

  #named(name: string): Element {
    const control = ["input", "select", "textarea"]
      .flatMap((tag) => this.#all(tag))
      // The header's search field is on every page.
      .find(({ attribs }) => attribs.name === name && attribs.type !== "hidden" && !("data-palette" in attribs));
    if (!control) throw new Error(`There is no field ${name} at ${this.address}.`);
    return control;
  }

  #formOf(control: Element): Element | undefined {
    const id = control.attribs.form;
    if (id) return DomUtils.getElementById(id, this.#document) ?? undefined;
    return ancestors(control).find((one) => one.name === "form");
  }

  #controlsOf(form: Element): Element[] {
    return ["input", "select", "textarea", "button"]
      .flatMap((tag) => this.#all(tag))
      .filter((control) => this.#formOf(control) === form);
  }

  #surroundingsOf(control: Element): string {
    const row = ancestors(control).find((one) => one.name === "tr") ?? this.#formOf(control);
    return toText(row);
  }
}

function ancestors(element: Element): Element[] {
  const parent = element.parent;
  return parent && isTag(parent) ? [parent, ...ancestors(parent)] : [];
}

const getOptions = (control: Element) =>
  control.name === "select"
    ? DomUtils.getElementsByTagName("option", control).map(({ attribs }) => attribs.value ?? "")
    : [];

function currentValue(control: Element): string {
  if (control.name === "textarea") return DomUtils.textContent(control).replace(/^\n/, "");
  if (control.name !== "select") return control.attribs.value ?? "";
  const options = DomUtils.getElementsByTagName("option", control);
  const chosen = options.find(({ attribs }) => attribs.selected !== undefined) ?? options[0];
  return chosen?.attribs.value ?? toText(chosen);
}
