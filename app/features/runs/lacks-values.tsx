import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { plural } from "~/ui/count/plural";

const list = new Intl.ListFormat("en");
const maxNamed = 5;

export interface LacksValuesProps {
  apiId: string;
  /** Variables used by the test and defined nowhere. */
  names: readonly string[];
  /** For a notice about several tests. */
  total?: number;
  mayWrite: boolean;
}

/** A test that would error because a variable it sends has no value; links to where values are defined. */
export function LacksValues({ apiId, names, total = 1, mayWrite }: LacksValuesProps) {
  if (names.length === 0) return null;
  const named = names.length > maxNamed ? [...names.slice(0, maxNamed), "others"] : names;
  const badge = (
    <Badge tone="warning" icon="warning">
      No value for {list.format(named)}
      {total > 1 && ` in ${plural(total, "test")}`}
    </Badge>
  );
  return mayWrite ? <a href={href("/test-management/:apiId/tests/make", { apiId })}>{badge}</a> : badge;
}
