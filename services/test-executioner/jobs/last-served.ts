/** More than have work at a time; a forgotten organization counts as one without a turn. */
const maxRemembered = 1_000;

/** The organizations that a worker claimed executions of, so that those not served for longest are next. */
export class LastServed {
  readonly #organizations = new Set<string>();

  note(organizations: Iterable<string>): void {
    for (const organization of organizations) {
      this.#organizations.delete(organization);
      this.#organizations.add(organization);
    }
    for (const oldest of this.#organizations) {
      if (this.#organizations.size <= maxRemembered) return;
      this.#organizations.delete(oldest);
    }
  }

  /** The one that has waited longest first. */
  list(): string[] {
    return [...this.#organizations];
  }
}
