import type { OperationKey } from "#contracts/api-registry/resources.ts";
import { toDisplayName } from "#contracts/kit/display-name.ts";
import type { Finding, FindingKind, FindingStep } from "#contracts/test-executioner/explorations.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import { toKey } from "../plan/known.ts";
import type { Called } from "./exploring.ts";
import type { Session, Step } from "./session.ts";
import type { Violation } from "./violations.ts";

/** A request as it was sent, or is still to be sent to remove what was made. */
export interface SentStep extends Step {
  phase: FindingStep["phase"];
  called?: Called;
}

export interface Seen {
  violation: Violation;
  operation: OperationKey;
  /** In the order of their sending; the last one of the main phase shows it. */
  steps: readonly SentStep[];
  isRepeated: boolean;
}

/** What an exploration found, each cause once. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  constructor(
    private readonly session: Session,
    private readonly onFinding: (finding: Finding) => void,
  ) {}

  get all(): Finding[] {
    return [...this.#found.values()];
  }

  has(kind: FindingKind, cause: string): boolean {
    return this.#found.has(`${kind} ${cause}`);
  }

  /** Notes that a known cause was seen again. Returns whether it is known. */
  seeAgain({ kind, cause }: Violation, operation: OperationKey): boolean {
    const known = this.#found.get(`${kind} ${cause}`);
    if (!known) return false;
    known.seen += 1;
    const { method, path } = operation;
    const isNew = [known.operation, ...known.also].every((one) => toKey(one) !== toKey(operation));
    if (isNew) {
      known.also.push({ method, path });
      this.onFinding(known);
    }
    return true;
  }

  add({ violation, operation: { method, path }, steps, isRepeated }: Seen): void {
    const { kind, cause, says } = violation;
    const shown = keepNeeded(steps);
    const status = steps.findLast(({ phase }) => phase === "main")?.called?.statusCode;
    const place = [`${method.toUpperCase()} ${path}`, ...(status ? [status] : [])].join(", ");
    const finding: Finding = {
      ...{ key: `${kind} ${cause}`, kind, operation: { method, path }, also: [], seen: 1, isRepeated },
      message: `${says} (${place}).`,
      ...{ requests: this.session.requests, milliseconds: this.session.elapsed },
      steps: shown.map(toFindingStep),
      variables: listVariables(shown),
    };
    this.#found.set(finding.key, finding);
    this.onFinding(finding);
  }
}

function toFindingStep({ test, phase, effect, called }: SentStep): FindingStep {
  const attempt = called?.attempts.at(-1);
  return {
    test: { ...test, name: toDisplayName(test.name, 300) },
    phase,
    ...(effect ? { effect } : {}),
    ...{ request: attempt?.request ?? null, response: attempt?.response ?? null },
  };
}

/** Without set-up whose captures no later step uses, and without captures that none uses. */
function keepNeeded(steps: readonly SentStep[]): SentStep[] {
  const used = new Set<string>();
  const kept: SentStep[] = [];
  for (const step of [...steps].reverse()) {
    const captures = step.test.captures.filter(({ name }) => used.has(name));
    if (step.phase === "setUp" && captures.length === 0) continue;
    for (const name of listPlaceholders(JSON.stringify(step.test))) used.add(name);
    kept.push({ ...step, test: { ...step.test, captures } });
  }
  return kept.reverse();
}

function listVariables(steps: readonly SentStep[]): Finding["variables"] {
  const used = new Set(steps.flatMap(({ test }) => listPlaceholders(JSON.stringify(test))));
  const variables = new Map(steps.flatMap(({ generated }) => [...(generated ?? [])]));
  return [...variables].filter(([name]) => used.has(name)).map(([name, value]) => ({ name, value }));
}
