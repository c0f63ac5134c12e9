/** References in a component's JSON text: those of `$ref`, and others with a fragment, such as a discriminator's. */
const references = /"\$ref":"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*#(?:[^"\\]|\\.)*)"/g;

/** Which components of two versions are the same with all that they reach, by their texts, without parsing them. */
export class ChangedComponents {
  #changed: Set<string> | undefined;

  /** @param before JSON texts by reference */
  constructor(
    private readonly before: ReadonlyMap<string, string>,
    private readonly after: ReadonlyMap<string, string>,
  ) {}

  isSame(reference: string): boolean {
    this.#changed ??= this.#find();
    return this.after.has(reference) && !this.#changed.has(reference);
  }

  /** Whether a value of a document is written the same in both, and so is all that it refers to. */
  isSameText(before: string, after: string): boolean {
    return before === after && listReferences(before).every((reference) => this.isSame(reference));
  }

  #find(): Set<string> {
    const changed = new Set<string>();
    for (const [reference, body] of this.after) if (this.before.get(reference) !== body) changed.add(reference);
    if (changed.size === 0) return changed;
    const users = new Map<string, string[]>();
    for (const [user, body] of this.after) {
      if (changed.has(user)) continue;
      for (const reference of listReferences(body)) {
        const list = users.get(reference);
        if (list) list.push(user);
        else users.set(reference, [user]);
      }
    }
    for (const reference of changed) for (const user of users.get(reference) ?? []) changed.add(user);
    return changed;
  }
}

function listReferences(text: string): string[] {
  const found: string[] = [];
  for (const [, reference, other] of text.matchAll(references)) {
    const written = reference ?? other!;
    found.push(written.includes("\\") ? (JSON.parse(`"${written}"`) as string) : written);
  }
  return found;
}
