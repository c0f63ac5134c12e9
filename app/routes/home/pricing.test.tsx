import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Pricing, type PricingProps } from "./pricing";

const plan = {
  serviceId: "team",
  name: "Team",
  description: "For a team.",
  price: { amount: "49.00", currency: "USD", interval: "month" as const },
  trialDays: 0,
  limits: {
    apis: 20,
    tests: null,
    executionsPerMonth: 50_000,
    shortestIntervalSeconds: 60,
    members: 15,
    retentionDays: 90,
  },
};
const getLinks = (props: PricingProps) =>
  [...renderToStaticMarkup(<Pricing {...props} />).matchAll(/<a href="([^"]*)"[^>]*aria-label="([^"]*)"/g)].map(
    ([, href, name]) => [name, href],
  );

test("a visitor registers with a plan, and a billing manager chooses one there, with the plan in the address", () => {
  expect(getLinks({ plans: [plan], signedIn: false, managesBilling: false })).toEqual([
    ["Register with Team", "/registration-type-selection?serviceId=team"],
  ]);
  expect(getLinks({ plans: [plan], signedIn: true, managesBilling: true })).toEqual([
    ["Choose Team", "/billing?serviceId=team"],
  ]);
  expect(getLinks({ plans: [plan], signedIn: true, managesBilling: false })).toEqual([]);
});

test("where accounts are by invitation only, a visitor logs in to choose a plan, and is not invited to register", () => {
  const props = { signedIn: false, byInvitation: true, managesBilling: false };
  expect(getLinks({ plans: [plan], ...props })).toEqual([
    ["Log in to choose Team", "/login?redirectTo=%2Fbilling%3FserviceId%3Dteam"],
  ]);
  expect(renderToStaticMarkup(<Pricing plans={undefined} {...props} />)).not.toMatch(/register/i);
});

test("a plan's card says what its executions are enough for", () => {
  const limits = { ...plan.limits, tests: 250, executionsPerMonth: 2_500_000, shortestIntervalSeconds: 300 };
  const plans = [plan, { ...plan, serviceId: "larger", limits }];
  const markup = renderToStaticMarkup(<Pricing plans={plans} signedIn={false} managesBilling={false} />);
  expect(markup).toContain("Enough for 17 tests every 15 minutes");
  expect(markup).toContain("Enough for 250 tests every 5 minutes");
});

test("a trial is mentioned on its plan's card, and its conditions above", () => {
  const getMarkup = (trialDays: number) =>
    renderToStaticMarkup(<Pricing plans={[{ ...plan, trialDays }]} signedIn={false} managesBilling={false} />);
  expect(getMarkup(14)).toContain("First 14 days free");
  expect(getMarkup(1)).toContain("First 1 day free");
  expect(getMarkup(14)).toContain("for organizations that have not subscribed before");
  expect(getMarkup(0)).not.toMatch(/free|have not subscribed/i);
});

test("a visitor sees one plan recommended, with the section's only filled button; users choose by themselves", () => {
  const free = { ...plan, serviceId: "free", name: "Free", price: { ...plan.price, amount: "0.00" } };
  const larger = { ...plan, serviceId: "business", name: "Business", price: { ...plan.price, amount: "199.00" } };
  const getMarkup = (signedIn: boolean) =>
    renderToStaticMarkup(<Pricing plans={[free, plan, larger]} signedIn={signedIn} managesBilling={signedIn} />);
  expect(getMarkup(false)).toMatch(/Team<\/h3>.{0,400}Recommended/);
  expect(getMarkup(false).match(/Recommended/g)).toHaveLength(1);
  expect(getMarkup(true)).not.toContain("Recommended");
});

test("the section is shown while the plans can't be read, and says so", () => {
  const markup = renderToStaticMarkup(<Pricing plans={undefined} signedIn={false} managesBilling={false} />);
  expect(markup).toContain('id="pricing"');
  expect(markup).toContain("The plans can&#x27;t be shown at the moment");
});
