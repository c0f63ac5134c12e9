import type { Context, Hono } from "hono";
import { z } from "zod";
import { approvalEnded, askToApprove, styleHash } from "./approval-page.ts";
import type { Opened } from "./documents.ts";
import { approve, changePlan } from "./lifecycle.ts";
import { approvalPath, revisionPath } from "./present.ts";
import { keepStep, requirePlan, type Sandbox } from "./sandbox.ts";
import { type Approval, type Subscription, subscription } from "./shapes.ts";

const result = z.object({
  ba_token: z.string(),
  decision: z.enum(["approve", "approve-declining", "cancel"]),
});

interface ActionRequest {
  subscription: Subscription;
  approval: Approval;
  planId: string;
  changes: boolean;
}

/** The approval that a token stands for; undefined for an unknown or used token. */
async function findRequested(opened: Opened, token: string): Promise<ActionRequest | undefined> {
  for (const one of await opened.list("subscription", subscription)) {
    const { approval, revision, plan_id } = one;
    if (approval?.ba_token === token) return { subscription: one, approval, planId: plan_id, changes: false };
    if (revision?.ba_token === token)
      return { subscription: one, approval: revision, planId: revision.plan_id, changes: true };
  }
  return undefined;
}

function addressWith(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The approval page, and the way back: with `subscription_id`, `ba_token` and `token`, as PayPal appends them. */
export function serveApproval(app: Hono, sandbox: Sandbox): void {
  const { documents, clock, faults } = sandbox;
  const paths = [approvalPath, revisionPath];

  function guard(c: Context, returnTo?: string): void {
    const leadsTo = returnTo ? `'self' ${new URL(returnTo).origin}` : "'none'";
    c.header(
      "content-security-policy",
      `default-src 'none'; style-src ${styleHash}; form-action ${leadsTo}; base-uri 'none'; frame-ancestors 'none'`,
    );
    c.header("referrer-policy", "no-referrer");
    c.header("cache-control", "no-store");
  }

  app.on("GET", paths, async (c) => {
    const [requested, plan] = await documents.change(async (opened) => {
      const found = await findRequested(opened, c.req.query("ba_token") ?? "");
      return [found, found && (await requirePlan(opened, found.planId))] as const;
    });
    guard(c, requested?.approval.return_url);
    if (!requested || !plan) return c.html(approvalEnded, 404);
    return c.html(askToApprove(requested.approval, plan, requested.changes));
  });

  app.on("POST", paths, async (c) => {
    const parsed = result.safeParse(await c.req.parseBody());
    const leadTo = await documents.change(async (opened) => {
      if (!parsed.success) return undefined;
      const { ba_token, decision } = parsed.data;
      const requested = await findRequested(opened, ba_token);
      if (!requested) return undefined;
      const { approval, subscription: found } = requested;
      if (decision === "cancel") return addressWith(approval.cancel_url, { token: approval.token, ba_token });
      const plan = await requirePlan(opened, requested.planId);
      const declines = decision === "approve-declining";
      const step = requested.changes
        ? changePlan(found, plan, clock.now())
        : approve(found, plan, clock.now(), { declines, holds: faults.delaysActivation });
      await keepStep(sandbox, opened, step);
      return addressWith(approval.return_url, { subscription_id: found.id, ba_token, token: approval.token });
    });
    guard(c);
    return leadTo ? c.redirect(leadTo, 303) : c.html(approvalEnded, 404);
  });
}
