import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { plural } from "~/ui/count/plural";

const list = new Intl.ListFormat("en");
const mostNamed = 5;

export interface LacksValuesProps {
  apiId: string;
  /** Asked for by the test, and given nowhere. */
  names: readonly string[];
  /** Of several tests that are told of together. */
  total?: number;
  mayWrite: boolean;
}

/** A test that would err, since a value it sends is given nowhere; leads to where values are given. */
export function LacksValues({ apiId, names, total = 1, mayWrite }: LacksValuesProps) {
  if (names.length === 0) return null;
  const named = names.length > mostNamed ? [...names.slice(0, mostNamed), "others"] : names;
  const badge = (
    <Badge tone="warning" icon="warning">
      No value for {list.format(named)}
      {total > 1 && ` in ${plural(total, "test")}`}
    </Badge>
  );
  return mayWrite ? <a href={href("/test-management/:apiId/tests/make", { apiId })}>{badge}</a> : badge;
}
