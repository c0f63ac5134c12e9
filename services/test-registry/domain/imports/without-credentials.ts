import type { ImportPlan } from "./plan.ts";

/** For who may not store credentials: the secrets are left out, and said. */
export function withoutCredentials(plan: ImportPlan): ImportPlan {
  const reason = "You may not store credentials. Ask an administrator to store one for this host.";
  const losses = plan.credentials.map(({ name, domain }) => ({
    ...{ file: "", line: 0, of: name, what: `secret for ${domain}`, reason },
  }));
  return {
    ...plan,
    credentials: [],
    tests: plan.tests.map((test) => ({ ...test, credentials: [] })),
    losses: [...plan.losses, ...losses],
  };
}
