import type { Backend } from "~/backend/backend";

/** Accepts or rejects what a form of the page names: the sentence to show, or why it was refused. */
export async function decide(
  { testRegistry }: Backend,
  form: FormData,
): Promise<{ sentence: string } | { refusal: string; status: number }> {
  const params = { proposalId: String(form.get("proposalId")) };
  const isAccepted = form.get("decision") === "accept";
  const version = Number(form.get("version")) || null;
  const decided = isAccepted
    ? await testRegistry.acceptTestProposal({ params, body: { testVersion: version } })
    : await testRegistry.rejectTestProposal({ params });
  if (decided.ok) {
    const { test, testId } = decided.value;
    if (!isAccepted) return { sentence: `The proposal for ${test.name} was rejected.` };
    return { sentence: `${test.name} was ${testId ? "changed" : "created"} as proposed.` };
  }
  const { detail, errors = [] } = decided.problem;
  const reasons = errors.map(({ message }) => message);
  return { refusal: [detail, ...reasons].join(" "), status: decided.status };
}
