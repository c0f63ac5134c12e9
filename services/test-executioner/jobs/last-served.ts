/** More than work at a time; who is forgotten is taken for somebody who waits. */
const mostRemembered = 1_000;

/** The organizations a worker took executions of, so that those it took none of for longest are next. */
export class LastServed {
  readonly #organizations = new Set<string>();

  note(organizations: Iterable<string>): void {
    for (const organization of organizations) {
      this.#organizations.delete(organization);
      this.#organizations.add(organization);
    }
    for (const oldest of this.#organizations) {
      if (this.#organizations.size <= mostRemembered) return;
      this.#organizations.delete(oldest);
    }
  }

  /** The one that waits longest first. */
  list(): string[] {
    return [...this.#organizations];
  }
}
