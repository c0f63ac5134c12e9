/** More than one claim looks at; a forgotten organization counts as one without a turn. */
const maxRemembered = 256;

/** Before all organizations. */
export const noOrganizationYet = "00000000-0000-0000-0000-000000000000";

/**
 * The organizations that a worker claimed executions of, so that those not served for longest are next, and how far it
 * has come in their circle by id.
 */
export class LastServed {
  readonly #organizations = new Set<string>();
  #furthest = noOrganizationYet;

  /** Of the last claim, in the order that begins behind the one before it. */
  get furthest(): string {
    return this.#furthest;
  }

  note(claimed: Iterable<string>): void {
    const organizations = [...claimed];
    for (const organization of organizations) {
      this.#organizations.delete(organization);
      this.#organizations.add(organization);
    }
    for (const oldest of this.#organizations) {
      if (this.#organizations.size <= maxRemembered) break;
      this.#organizations.delete(oldest);
    }
    const around = organizations.filter((organization) => organization <= this.#furthest);
    this.#furthest = (around.length > 0 ? around : organizations).toSorted().at(-1) ?? noOrganizationYet;
  }

  /** The one that has waited longest first. */
  list(): string[] {
    return [...this.#organizations];
  }
}
