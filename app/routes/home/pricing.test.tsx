import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Pricing, type PricingProps } from "./pricing";

const plan = {
  serviceId: "team",
  name: "Team",
  description: "For a team.",
  price: { amount: "49.00", currency: "USD", interval: "month" as const },
  limits: {
    apis: 20,
    tests: null,
    executionsPerMonth: 50_000,
    shortestIntervalSeconds: 60,
    members: 15,
    retentionDays: 90,
  },
};
const linksOf = (props: PricingProps) =>
  [...renderToStaticMarkup(<Pricing {...props} />).matchAll(/<a href="([^"]*)"[^>]*aria-label="([^"]*)"/g)].map(
    ([, href, name]) => [name, href],
  );

test("a visitor registers with a plan, and who manages billing chooses one there, which it is told", () => {
  expect(linksOf({ plans: [plan], signedIn: false, managesBilling: false })).toEqual([
    ["Register with Team", "/registration-type-selection?serviceId=team"],
  ]);
  expect(linksOf({ plans: [plan], signedIn: true, managesBilling: true })).toEqual([
    ["Choose Team", "/billing?serviceId=team"],
  ]);
  expect(linksOf({ plans: [plan], signedIn: true, managesBilling: false })).toEqual([]);
});

test("the section stands while the plans can't be read, and says so", () => {
  const markup = renderToStaticMarkup(<Pricing plans={undefined} signedIn={false} managesBilling={false} />);
  expect(markup).toContain('id="pricing"');
  expect(markup).toContain("The plans can&#x27;t be shown at the moment");
});
