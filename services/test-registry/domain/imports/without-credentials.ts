import type { ImportPlan } from "./plan.ts";

/** For who may not store credentials: the secrets that are not stored yet are left out, and said. */
export function withoutCredentials(plan: ImportPlan): ImportPlan {
  const reason = "You may not store credentials. Ask an administrator to store one for this host.";
  const fresh = plan.credentials.filter(({ knownId }) => knownId === undefined);
  const losses = fresh.map(({ name, domain }) => ({
    ...{ file: "", line: 0, of: name, what: `secret for ${domain}`, reason },
  }));
  const stored = plan.credentials.filter(({ knownId }) => knownId !== undefined);
  const toPosition = (position: number) => stored.indexOf(plan.credentials[position]!);
  return {
    ...plan,
    credentials: stored,
    tests: plan.tests.map((test) => ({
      ...test,
      credentials: test.credentials.map(toPosition).filter((position) => position >= 0),
    })),
    losses: [...plan.losses, ...losses],
  };
}
