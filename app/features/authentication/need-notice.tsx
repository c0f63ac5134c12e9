import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import type { AuthenticationNeed, HostQuestion, UnansweredNeed } from "./authentication-need";
import { StoreForm } from "./store-form";

export interface NeedNoticeProps {
  apiId: string;
  need: AuthenticationNeed | undefined;
  /** Path and query of this page, to which storing leads back. */
  returnTo: string;
  mayStore: boolean;
  mayChangeApi: boolean;
}

const list = new Intl.ListFormat("en");

/** Names the credential that an API asks for and that isn't stored, and asks for it in place. */
export function NeedNotice({ need, ...rest }: NeedNoticeProps) {
  if (!need) return null;
  if (need.kind === "question") return <Question need={need} {...rest} />;
  return <Unanswered need={need} {...rest} />;
}

function Unanswered({ apiId, need, returnTo, mayStore }: NeedNoticeProps & { need: UnansweredNeed }) {
  const { host, wanted, others, schemeName } = need;
  const page = href("/api-management/:apiId/details/authentication", { apiId }, { scheme: schemeName, host, returnTo });
  return (
    <Notice tone="warning" id="authentication" title={`This API requires ${wanted}; none is stored`}>
      <Stack>
        <p>
          Tests that inherit their authorization need it at {host}.
          {others.length > 0 && ` Other operations require ${list.format(others)}.`}
          {!mayStore && " An administrator can add it under Authentication in the API's settings."}
        </p>
        {mayStore && <StoreForm need={need} action={page} />}
      </Stack>
    </Notice>
  );
}

function Question({ apiId, need, returnTo, mayChangeApi }: NeedNoticeProps & { need: HostQuestion }) {
  const { host, credentialNames } = need;
  const named = credentialNames.length > 3 ? [...credentialNames.slice(0, 3), "others"] : credentialNames;
  const it = credentialNames.length === 1 ? "it" : "them";
  const page = href("/api-management/:apiId/details/authentication", { apiId }, { returnTo });
  return (
    <Notice id="authentication" title={`Send ${list.format(named)} with tests of this API?`}>
      <Stack>
        <p>
          The document defines no security scheme, but {credentialNames.length === 1 ? "this is" : "these are"} stored
          for {host}. Applies to new tests.
        </p>
        {mayChangeApi && (
          <form method="post" action={page}>
            <Row>
              <Button name="intent" value="send" variant="primary">
                Send {it}
              </Button>
              <Button name="intent" value="keep">
                Don't send {it}
              </Button>
            </Row>
          </form>
        )}
      </Stack>
    </Notice>
  );
}
