import type { BaseUrlChange } from "#contracts/api-registry/comparisons.ts";
import { href } from "~/href";
import { plural } from "~/ui/count/plural";
import { Notice } from "~/ui/notice/notice";
import type { Cut } from "./reviewed-changes";

/** What becomes of base URLs of the API and its environments where a part of the address moves. */
export function ReviewedBaseUrls({ apiId, baseUrls }: { apiId: string; baseUrls: Cut<BaseUrlChange> }) {
  const { items, moreCount } = baseUrls;
  if (items.length === 0) return null;
  const sendsOther = items.some(({ sent }) => sent.before !== sent.after);
  return (
    <Notice
      tone={sendsOther ? "warning" : "info"}
      title="Part of the address moved between the document's servers and paths"
    >
      <ul>
        {items.map((change) => (
          <li key={change.environment ?? ""}>{describe(change)}</li>
        ))}
        <li>A base URL set for a single run, e.g. by a pipeline, is not changed.</li>
        {sendsOther && (
          <li>
            If this is wrong, correct <a href={href("/api-management/:apiId/details/edit", { apiId })}>the API</a> or{" "}
            <a href={href("/api-management/:apiId/details/environments", { apiId })}>its environments</a>.
          </li>
        )}
        {moreCount > 0 && <li>{`And ${plural(moreCount, "other")}.`}</li>}
      </ul>
    </Notice>
  );
}

function describe({ environment, before, after, sent }: BaseUrlChange): string {
  const whose = environment === null ? "The API's own base URL" : `The base URL of ${environment}`;
  const becomes =
    before === after ? `${whose} stays ${before}` : `Importing changes ${lower(whose)} from ${before} to ${after}`;
  return sent.before === sent.after
    ? `${becomes}: requests still go to ${sent.after}.`
    : `${becomes}: what went to ${sent.before} goes to ${sent.after}.`;
}

const lower = (text: string) => `t${text.slice(1)}`;
