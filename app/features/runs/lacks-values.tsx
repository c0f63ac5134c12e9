import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { Notice } from "~/ui/notice/notice";
import type { LackingTotal } from "./lacking-values.server";

const list = new Intl.ListFormat("en");
const maxNamed = 5;

function nameSome(names: readonly string[]): string {
  return list.format(names.length > maxNamed ? [...names.slice(0, maxNamed), "others"] : names);
}

/** A test that would error because a variable it sends has no value. The notice above the list says what to do. */
export function LacksValues({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Badge tone="warning" icon="warning">
      No value for {nameSome(names)}
    </Badge>
  );
}

export interface LackingNoticeProps {
  apiId: string;
  /** Undefined: unknown. */
  total: LackingTotal | undefined;
  mayWrite: boolean;
}

/** Once for all operations whose tests lack values, with where to set them. */
export function LackingNotice({ apiId, total, mayWrite }: LackingNoticeProps) {
  if (!total || total.tests === 0) return null;
  const { operations, names } = total;
  return (
    <Notice
      tone="warning"
      title={`${plural(operations, "operation")} ${operations === 1 ? "needs" : "need"} a value for ${nameSome(names)}`}
      actions={
        mayWrite && (
          <LinkButton size="small" href={href("/test-management/:apiId/tests/make", { apiId })}>
            Set values
          </LinkButton>
        )
      }
    >
      Until then {total.tests === 1 ? "its test" : `their ${plural(total.tests, "test")}`} can't be sent.
    </Notice>
  );
}
