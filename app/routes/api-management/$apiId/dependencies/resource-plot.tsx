import type { Resource } from "#contracts/api-registry/resources.ts";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { GraphPlot } from "~/ui/plot/graph-plot";
import { toTitle } from "./evidence-words";
import type { Relation } from "./relations";

/** Of a resource's section on the page. */
export const toAnchor = (index: number) => `resource-${index + 1}`;

interface ResourcePlotProps {
  resources: readonly Pick<Resource, "key" | "name" | "item">[];
  relations: readonly Relation[];
}

/** The resources that belong to others, with lines to what they need. */
export function ResourcePlot({ resources, relations }: ResourcePlotProps) {
  const related = new Set(relations.flatMap(({ from, to }) => [from, to]));
  const names = new Map(resources.map(({ key, name }) => [key, name]));
  const nodes = resources.flatMap(({ key, name, item }, index) => {
    if (!related.has(key)) return [];
    const needed = relations.filter(({ from }) => from === key).map(({ to }) => names.get(to)!);
    const says = needed.length === 0 ? "needs no other" : `needs ${needed.join(", ")}`;
    return [{ key, name: toTitle(name), detail: item, href: `#${toAnchor(index)}`, says }];
  });
  const others = resources.length - nodes.length;
  const isOne = others === 1;
  const beside = others === 0 ? "" : ` ${plural(others, "other resource")} ${isOne ? "is" : "are"} in the list only.`;
  return (
    <Card
      title="Overview"
      headingLevel={2}
      description={`Arrows point from a resource to what it needs.${beside}`}
      flush
    >
      <GraphPlot
        id="resources"
        title="Resources and what they need"
        nodes={nodes}
        edges={relations.map(({ from, to, isPart }) => ({ from, to, isSoft: !isPart }))}
        legend={{ line: "is part of it", soft: "refers to it in a request" }}
      />
    </Card>
  );
}
