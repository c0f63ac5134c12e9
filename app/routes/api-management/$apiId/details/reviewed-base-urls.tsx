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
      title="A part of the address moves between the document's servers and its paths"
    >
      <ul>
        {items.map((change) => (
          <li key={change.environment ?? ""}>{describe(change)}</li>
        ))}
        <li>A base URL that is given to a single run, such as by a pipeline, stays as it is given.</li>
        {sendsOther && (
          <li>
            If that is not meant, correct <a href={href("/api-management/:apiId/details/edit", { apiId })}>the API</a>{" "}
            or <a href={href("/api-management/:apiId/details/environments", { apiId })}>its environments</a>.
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
