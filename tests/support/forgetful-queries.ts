import { currentOrganization } from "../../services/kit/database/organization-scope.ts";
import { PreparingClient } from "../../services/kit/database/prepared.ts";

const condition = /(?:"?\w+"?\.)*"?\borganization_id\b"? = (?:any\((\$\d+)(?:::uuid\[\])?\)|(\$\d+)(?:::uuid)?)/g;

/** A statement as if whoever wrote it had forgotten its conditions on organizations. Its parameters stay in their places. */
export const forgetOrganization = (text: string): string =>
  text.replace(condition, (_, list?: string, one?: string) =>
    list ? `${list}::uuid[] is not null` : `${one}::uuid is not null`,
  );

export interface Forgetfulness {
  /** How many statements lost a condition. */
  readonly count: number;
  end(): void;
}

/** Until it ends, what is asked for an organization, of whichever service, has no condition on it. */
export function beginForgetting(): Forgetfulness {
  const { query } = PreparingClient.prototype;
  let count = 0;
  PreparingClient.prototype.query = function forgetful(asked, ...others) {
    if (typeof asked !== "string" || !currentOrganization()) return query.call(this, asked, ...others);
    const left = forgetOrganization(asked);
    if (left !== asked) count += 1;
    // Prepared under its own name, since connections remember the whole one.
    return query.call(
      this,
      left.replace(/prepared as (\w+)/, left === asked ? "prepared as $1" : "prepared as f_$1"),
      ...others,
    );
  };
  return {
    get count() {
      return count;
    },
    end() {
      PreparingClient.prototype.query = query;
    },
  };
}
