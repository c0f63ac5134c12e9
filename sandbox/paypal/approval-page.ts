import { createHash } from "node:crypto";
import { html } from "hono/html";
import type { Approval, Plan } from "./shapes.ts";

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; background: Canvas; color: CanvasText }
main { max-width: 26rem; padding: 1.5rem }
.sandbox { border: 2px dashed; padding: .75rem 1rem; margin: 0 0 1.5rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1.5rem }
dt { font-weight: 600 } dd { margin: 0 }
form { display: grid; gap: .75rem }
button { font: inherit; padding: .75rem 1rem; min-height: 2.75rem; cursor: pointer }`;

/** For the page's only style element, in its content security policy. */
export const styleHash = `'sha256-${createHash("sha256").update(style).digest("base64")}'`;

function page(title: string, content: unknown) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · PayPal sandbox</title>
<style>${html([style] as unknown as TemplateStringsArray)}</style>
</head>
<body>
<main>
<p class="sandbox"><strong>Sandbox.</strong> This page stands in for PayPal. No money moves, and you don't need to sign in.</p>
${content}
</main>
</body>
</html>`;
}

function everyInterval({ interval_unit, interval_count }: Plan["billing_cycles"][number]["frequency"]): string {
  const unit = interval_unit.toLowerCase();
  return interval_count === 1 ? `every ${unit}` : `every ${interval_count} ${unit}s`;
}

function cycleText(cycle: Plan["billing_cycles"][number]): string {
  const { interval_unit, interval_count } = cycle.frequency;
  const price = cycle.pricing_scheme?.fixed_price;
  const amount = price && Number(price.value) > 0 ? `${price.value} ${price.currency_code}` : "Nothing";
  const isOnce = cycle.total_cycles === 1;
  if (isOnce) return `${amount} for ${interval_count} ${interval_unit.toLowerCase()}${interval_count === 1 ? "" : "s"}`;
  const times = cycle.total_cycles === 0 ? "until cancelled" : `${cycle.total_cycles} times`;
  return `${amount} ${everyInterval(cycle.frequency)}, ${times}`;
}

/** The buyer's approval page: for a subscription, or for a change to another plan. */
export function askToApprove(approval: Approval, plan: Plan, changes: boolean) {
  const title = changes ? `Change to ${plan.name}` : `Subscribe to ${plan.name}`;
  return page(
    title,
    html`<h1>${title}</h1>
<dl>
<dt>Merchant</dt><dd>${approval.brand_name ?? "Unnamed"}</dd>
${plan.billing_cycles.map((cycle) => html`<dt>${cycle.tenure_type === "TRIAL" ? "Trial" : "Price"}</dt><dd>${cycleText(cycle)}</dd>`)}
</dl>
<form method="post">
<input type="hidden" name="ba_token" value="${approval.ba_token}">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="approve-declining">Approve, with a bank that declines payments</button>
<button name="decision" value="cancel">Cancel and return</button>
</form>`,
  );
}

export const approvalEnded = page(
  "Nothing to approve",
  html`<h1>Nothing to approve</h1><p>This request was already approved or cancelled. Go back to the page you came from.</p>`,
);
