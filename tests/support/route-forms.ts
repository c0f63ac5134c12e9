import { pageAt } from "../../app/session/route-access.ts";
import type { FormPage } from "./form-page.ts";
import { attemptsAtPage, type PagePath } from "./route-attempts.ts";
import type { Ids } from "./tried-operations.ts";
import { typedForms } from "./tried-routes.ts";

/** A submission to an action. */
export interface SentForm {
  page: PagePath;
  address: string;
  entries: [string, string][];
}

const says = /^(intent|dialog|then|role|__intent__)$/;

/** Groups forms that request the same of an action, whatever is typed into them. */
function toKey({ page, entries }: SentForm): string {
  const parts = entries.map(([name, value]) => (says.test(name) ? `${name}=${value}` : name.replace(/\[\d+\].*/, "")));
  return [page, ...new Set(parts)].join(" ");
}

/** One form of each kind: those of pages and their dialogs, and those that `tried-routes.ts` adds. */
export class FormCollection {
  readonly #forms = new Map<string, SentForm>();

  constructor(private readonly ids: Ids) {
    for (const [page, all] of Object.entries(typedForms) as [PagePath, Record<string, string>[]][]) {
      const address = attemptsAtPage(page).at(-1)!.address(ids);
      for (const values of all) this.#keep({ page, address, entries: Object.entries(values) });
    }
  }

  get all(): SentForm[] {
    return [...this.#forms.values()];
  }

  #keep(form: SentForm): void {
    const key = toKey(form);
    if (!this.#forms.has(key)) this.#forms.set(key, form);
  }

  /** Adds those of a page, and of its dialogs. */
  async takeFrom(page: FormPage, open: (address: string) => Promise<FormPage>): Promise<void> {
    const isQuestion = ({ pathname, search }: URL) =>
      pathname === page.url.pathname && /[?&](dialog|revoke)=/.test(search);
    const addresses = new Set(page.links().flatMap((url) => (isQuestion(url) ? [url.pathname + url.search] : [])));
    const questions = [...addresses].filter((address) => address !== page.address);
    for (const one of [page, ...(await Promise.all(questions.map(open)))]) {
      for (const { target, entries } of one.posts(Object.values(this.ids)))
        this.#keep({ page: pageAt(target.pathname), address: target.pathname + target.search, entries });
    }
  }
}

/** The same form with the other organization's ids. */
export function replaced({ address, entries }: SentForm, from: Ids, to: Ids, names: readonly string[]): SentForm {
  const inText = (text: string, encode = (id: string) => id) =>
    names.reduce((result, name) => result.replaceAll(encode(from[name]!), encode(to[name]!)), text);
  const other = inText(address, encodeURIComponent);
  return {
    page: pageAt(new URL(other, "http://page.invalid").pathname),
    address: other,
    entries: entries.map(([name, value]) => [inText(name), inText(value)]),
  };
}
