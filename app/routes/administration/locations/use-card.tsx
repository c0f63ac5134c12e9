import type { LocationUse, Used } from "~/features/locations/location-words";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { DefinitionList } from "~/ui/definition-list/definition-list";

/** What is sent from a location. */
export function UseCard({ use }: { use: LocationUse | undefined }) {
  const isUsed = use && use.tests.total + use.circles.total + use.apis.total > 0;
  return (
    <Card
      title="What is sent from here"
      description={
        use
          ? isUsed
            ? undefined
            : "Nothing yet. Choose this location under “Runs from”, at an environment of an API, a circle or a test."
          : "It can't be shown right now."
      }
    >
      {isUsed && (
        <DefinitionList
          items={[
            use.tests.total > 0 && {
              term: "Tests",
              value: <Links used={use.tests} />,
            },
            use.circles.total > 0 && {
              term: "Circles",
              value: <Links used={use.circles} />,
            },
            use.apis.total > 0 && {
              term: "Environments of",
              value: <Links used={use.apis} />,
            },
          ]}
        />
      )}
    </Card>
  );
}

function Links({ used: { total, items } }: { used: Used }) {
  const hidden = total - items.length;
  return (
    <ul>
      {items.map(({ href, name }) => (
        <li key={href}>
          <a href={href}>{name}</a>
        </li>
      ))}
      {hidden > 0 && <li>{formatCount(hidden)} more</li>}
    </ul>
  );
}
